/// A change of a store's item that is stored.
///
/// ```swift
/// let observation = store.observe { change in
///   print(change.keys, change.origin, change.new.name)
/// }
/// ```
public struct StoreChange<Item: StoreItem>: Sendable {
  /// Who made a change.
  public enum Origin: Sendable {
    /// This store.
    case store
    /// Another store of this process on the same place.
    case process
    /// Another process, an editor, or whoever else writes to the place.
    case outside
  }

  /// The item before the change.
  public let old: Item
  /// The item after it.
  public let new: Item
  /// The keys of the fields whose values differ.
  public let keys: [String]
  public let origin: Origin
}

extension StoreChange {
  /// The change between two items, if any of these keys has another value.
  ///
  /// Values are compared in their stored form: a file that was written again with the same values
  /// is no change.
  init?(from old: Item, to new: Item, among candidates: [String], origin: Origin) {
    let keys = Self.document(of: old, candidates)
      .keysThatDiffer(from: Self.document(of: new, candidates))
    if keys.isEmpty { return nil }
    self.init(old: old, new: new, keys: keys, origin: origin)
  }

  private static func document(of item: Item, _ keys: [String]) -> StoreDocument {
    var item = item
    var reader = EvalDictMapper { key in keys.contains { $0.hasSameBytes(as: key) } }
    item.mapValue(&reader)
    return reader.document
  }

  /// This change and the one after it as one; nil when together they change nothing.
  func joined(with next: StoreChange) -> StoreChange? {
    let added = next.keys.filter { key in !keys.contains { $0.hasSameBytes(as: key) } }
    return StoreChange(from: old, to: next.new, among: keys + added, origin: next.origin)
  }
}
