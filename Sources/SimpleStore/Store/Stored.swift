/// Declares a property that is a store's item.
///
/// ```swift
/// final class App {
///   @Stored(.plist(named: "user")) var user: User
/// }
///
/// let app = App()
/// app.user.age = 3              // one save
/// app.user.tags.append("x")     // one save
/// app.$user.batchUpdate { $0.name = "sky" }  // the store
/// ```
///
/// It works in classes and structs and for local variables; copies of a struct share the store.
/// Reading `app.user.name` copies the item first, `app.$user.name` does not.
///
/// ## Static properties
///
/// In the Swift 6 language mode a wrapped static property has to be in a type of a global actor.
/// Elsewhere the compiler refuses it as "nonisolated global shared mutable state": the storage of a
/// property wrapper is always a variable, whatever the wrapper lets one do with it, and
/// `nonisolated(unsafe)` does not reach that storage. (A macro could do without, but would bring
/// swift-syntax with it.) Three ways work, and all are used by the same lines, each one save:
///
/// ```swift
/// @MainActor enum Shared {  // used on the main actor
///   @Stored(.json(named: "user")) static var user: User
///   static func celebrate() { user.age += 1 }
/// }
///
/// enum Settings {  // used from everywhere: the store itself
///   static let user = SimpleStore<User>(.json(named: "user"))
/// }
///
/// struct Model: Sendable {  // used from everywhere: a constant that has the property
///   @Stored(.json(named: "user")) var user: User
///   static let shared = Model()
/// }
///
/// await Shared.celebrate()
/// Settings.user.tags.append("x")
/// Model.shared.user.age += 1
/// ```
@propertyWrapper
public struct Stored<Item: StoreItem>: Sendable {
  /// The store.
  public let projectedValue: SimpleStore<Item>

  /// Opens a store, as ``SimpleStore/init(_:onDamage:defaults:saving:watching:onSaveError:)`` does.
  public init(
    _ backend: some StoreBackend,
    onDamage: DamagePolicy = .moveAside,
    defaults: DefaultsPolicy = .written,
    saving: SavingPolicy = .immediate,
    watching: Bool = false,
    onSaveError: (@Sendable (StoreError) -> Void)? = nil
  ) {
    projectedValue = SimpleStore(
      backend, onDamage: onDamage, defaults: defaults, saving: saving, watching: watching,
      onSaveError: onSaveError)
  }

  /// Makes a property of a store that is there.
  public init(_ store: SimpleStore<Item>) { projectedValue = store }

  /// The item; changing it saves.
  public var wrappedValue: Item {
    get { projectedValue.item }
    nonmutating set { projectedValue.item = newValue }
    nonmutating _modify { yield &projectedValue.item }
  }
}
