/// A plain `Codable` struct as an item: no wrappers, the defaults are what `init()` gives.
///
/// ```swift
/// struct Settings: CodableStoreItem {
///   var name = ""
///   var age = 0
///   var nickname: String?
/// }
///
/// let store = SimpleStore<Settings>(.json(at: url))
/// store.age = 7
/// ```
///
/// Each coding key of the struct is a field: a missing key, or a value that the struct's
/// `init(from:)` does not take, costs that field only; keys that the struct does not know stay; a
/// value whose encoding throws fails the save of its own key.
///
/// Finding out what changed means encoding the struct, so ``StoreParam`` fields, which carry a stamp,
/// are cheaper: the work of a save without its file takes 3 times as long with 3 fields and 10 times
/// with 30, opening a file 1.5 and 3 times. Reading a field takes no longer. Of a whole save that is
/// little: with 30 fields and a JSON file, without waiting for the disk, 1 to 1.4 times (measured by
/// `benchmarks --only codable`).
///
/// In a batch only a change of the value is seen: a stored value of another type stays when a batch
/// sets its key to the default, which the field has already; an assignment, `set` or `reset` removes
/// it. (For enums, and empty lists of structs, only one of the whole item does: of these the store
/// cannot make another value to see whether it was set.) A field that is a dictionary in the file is
/// replaced as a whole; a nested item of ``StoreParam`` fields is merged.
public protocol CodableStoreItem: StoreItem, Codable {}

extension CodableStoreItem {
  public mutating func mapValue<Mapper: DictMapper>(_ mapper: inout Mapper) {
    // Mostly all that is read fits, and one decoding is enough. Otherwise once more, with a look
    // at each key.
    var trial = mapper
    if map(with: &trial, isCareful: false) {
      mapper = trial
    } else {
      _ = map(with: &mapper, isCareful: true)
    }
  }

  private mutating func map<Mapper: DictMapper>(
    with mapper: inout Mapper, isCareful: Bool
  ) -> Bool {
    let visit = CodableVisit(of: self, isCareful: isCareful)
    for key in visit.schema.keys + visit.strangeKeys {
      var field = CodableField(key: key, visit: visit)
      mapper.visit(&field)
    }
    guard visit.isChanged else { return true }
    // What does not fit is looked for in the careful pass.
    guard let item = try? StoreValue.dictionary(visit.document).decoded(as: Self.self) else {
      return false
    }
    self = item
    return true
  }
}
