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
/// It works in classes and structs and for local variables; copies of a struct share the store. A
/// static one has to be in a type of the main actor (`@MainActor enum Shared`), since Swift 6 takes
/// the wrapper's storage for a variable that anyone may replace; elsewhere write
/// `static let user = SimpleStore<User>(…)`. Reading `app.user.name` copies the item first, `app.$user.name` does not.
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
