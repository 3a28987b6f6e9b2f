/// Settings that save themselves: an item whose fields are read from memory and written to a
/// backend.
///
/// ```swift
/// struct User: StoreItem {
///   @StoreParam(key: "name", default: "") var name
///   @StoreParam(key: "age", default: 0) var age
/// }
///
/// let store = SimpleStore<User>(.json(at: url))
/// store[\.name] = "sky"                               // saved when this line returns
/// store.age += 1                                      // read, changed and saved as one
/// store.batchUpdate { $0.name = "yks"; $0.age = 81 }  // one save
/// ```
///
/// ## What is promised
///
/// * A change that returned is saved; how safely is the backend's ``Durability``. Whoever opens
///   the file sees all of a save or nothing of it.
/// * A save that fails changes nothing, in memory or on disk. Assignments cannot throw: they keep
///   the error in ``saveError`` and call ``onSaveError``. ``set(_:to:)``, `update(_:)` and
///   ``save()`` throw it.
/// * Before a save the store reads what others have saved since, and writes only the keys that
///   this change set. Keys that the item does not know stay as they are.
/// * Opening and reading write nothing. A value that is set again is not written again.
/// * Content that cannot be read is never overwritten: see ``loadState``.
///
/// * Observers (``observe(_:)``, ``changes``, ``values(_:initial:)``, the Observation framework) are
///   told of each change once, in order, and of none that is not stored. ``watch()`` follows what
///   other programs write.
///
/// A store may be used from every thread; reads never wait for a save. Stores on the same file
/// share what they know, whatever their item types.
///
/// Subclass it for methods and a shared instance of your own:
///
/// ```swift
/// final class UserManager: SimpleStore<User>, @unchecked Sendable {
///   static let shared = UserManager(.plist(named: "user"))
///   func celebrateBirthday() { self.age += 1 }
/// }
/// ```
///
/// `@unchecked Sendable` (a class that may be subclassed cannot have it checked): the stored
/// properties are constants, and what changes is behind the mutex.
@dynamicMemberLookup
open class SimpleStore<Item: StoreItem>: @unchecked Sendable {
  @usableFromInline final let state: StoreState<Item>
  final let status: Guarded<StoreStatus>
  final let core: StoreCore
  final let backend: any StoreBackend
  final let onDamage: DamagePolicy
  final let defaults: DefaultsPolicy
  final let saving: SavingPolicy
  /// Who tracks reads, for the Observation framework.
  @usableFromInline final let tracker = ReadTracker()
  final let upgrade = DocumentUpgrade(of: Item.self)
  /// Where the fields are, if the item leaves it to the library to find them.
  final let layout = ItemLayout.ofFieldsFound(in: Item.self)
  final let importSource: (any StoreBackend)?

  /// Opens a store. This reads, and never writes; ``loadState`` says what was found.
  ///
  /// - Parameters:
  ///   - backend: Where the item is kept: `.plist(at:)`, `.json(at:)`, `.plist(named:)`,
  ///     `.json(named:)`, `.memory`, or one of your own.
  ///   - onDamage: What happens to content that is damaged.
  ///   - defaults: Whether a save writes fields that have their defaults.
  ///   - saving: Whether a change is saved at once, or a little later together with others.
  ///   - watching: Whether the store follows what others write, as long as it lives: see
  ///     ``watch()``.
  ///   - onSaveError: See ``onSaveError``.
  public init(
    _ backend: some StoreBackend,
    onDamage: DamagePolicy = .moveAside,
    defaults: DefaultsPolicy = .written,
    saving: SavingPolicy = .immediate,
    watching: Bool = false,
    onSaveError: (@Sendable (StoreError) -> Void)? = nil
  ) {
    ItemValidation.check(Item.self)
    self.backend = backend
    self.onDamage = onDamage
    self.defaults = defaults
    self.saving = saving
    importSource = nil
    core = backend.identity.core
    state = StoreState(item: Item())
    status = Guarded(StoreStatus(onSaveError: onSaveError))
    open(watching: watching)
  }

  /// Opens a store that moves in from somewhere else: while nothing is stored in its own place, it
  /// has what another backend holds under the keys of the item.
  ///
  /// ```swift
  /// let store = SimpleStore<User>(.json(at: url), importing: .plist(named: "user"))
  /// ```
  ///
  /// Opening writes nothing, here as always: the first save on the place stores all that was
  /// imported, and from then on the source is never looked at again, whatever is reset or deleted
  /// while the program runs. (That it has moved in is said by its own place only: where that was
  /// deleted, the next start of the program moves in again.) Until the first save other stores on
  /// the place, and their observers, see nothing of it. The source is left as it is.
  /// If it cannot be read, the store is ``LoadState/failed(_:)`` and nothing is saved until
  /// ``reload()`` succeeds, so that nothing in it is passed over.
  ///
  /// - Parameters:
  ///   - backend: Where the item is kept.
  ///   - source: What to import.
  ///   - onDamage: What happens to content that is damaged.
  ///   - defaults: Whether a save writes fields that have their defaults.
  ///   - saving: Whether a change is saved at once, or a little later together with others.
  ///   - watching: Whether the store follows what others write, as long as it lives.
  ///   - onSaveError: See ``onSaveError``.
  public init(
    _ backend: some StoreBackend,
    importing source: some StoreBackend,
    onDamage: DamagePolicy = .moveAside,
    defaults: DefaultsPolicy = .written,
    saving: SavingPolicy = .immediate,
    watching: Bool = false,
    onSaveError: (@Sendable (StoreError) -> Void)? = nil
  ) {
    // Not one initialiser for both: a subclass can call only a designated one, and an opaque
    // parameter has no default.
    ItemValidation.check(Item.self)
    self.backend = backend
    self.onDamage = onDamage
    self.defaults = defaults
    self.saving = saving
    importSource = source
    core = backend.identity.core
    state = StoreState(item: Item())
    status = Guarded(StoreStatus(onSaveError: onSaveError))
    open(watching: watching)
  }

  private func open(watching: Bool) {
    core.begin()
    load()
    core.join(self)
    core.end()
    if savesLater { ExitSaving.add(self) }
    if watching { watchAlways() }
  }

  deinit {
    stopTimer()
    saveWhatWaits()
    endWatches()
    endObservations()
  }

  // MARK: Reading

  /// The value of a field.
  ///
  /// ```swift
  /// store[\.name]
  /// ```
  ///
  /// Setting it saves: when the assignment returns, the value is stored, or it is not changed and
  /// the error is in ``saveError``. Changing it in place (`store[\.tags].append("x")`) is one
  /// change: no other writer comes in between, in this process or another (but see
  /// ``SavingPolicy/coalesced(_:clock:)``). It must end on the thread
  /// on which it began: passing a field as `inout` to an `async` function ends the program with a
  /// sentence.
  ///
  /// A computed property of the item that can be set must not read this store: it is read under the
  /// store's lock.
  public final subscript<Value: Sendable>(_ field: WritableKeyPath<Item, Value>) -> Value {
    @inlinable get {
      tracker.access()
      return state.lock.withLock { _ in state.item[keyPath: field] }
    }
    set { assign(newValue, to: field) }
    _modify {
      let edit = begin()
      var base = base(of: edit)
      var item = current
      defer { finishReporting(edit, &base, &item) }
      yield &item[keyPath: field]
    }
  }

  /// The value of a property of the item that cannot be set.
  @inlinable
  public final subscript<Value: Sendable>(_ property: KeyPath<Item, Value>) -> Value {
    // Not under the lock: a computed property may read this store.
    item[keyPath: property]
  }

  /// A field by its name: `store.name` is ``subscript(_:)-(WritableKeyPath<Item,Value>)`` of it.
  public final subscript<Value: Sendable>(
    dynamicMember field: WritableKeyPath<Item, Value>
  ) -> Value {
    @inlinable get {
      tracker.access()
      return state.lock.withLock { _ in state.item[keyPath: field] }
    }
    set { assign(newValue, to: field) }
    _modify { yield &self[field] }
  }

  /// A property of the item that cannot be set, by its name.
  @inlinable
  public final subscript<Value: Sendable>(dynamicMember property: KeyPath<Item, Value>) -> Value {
    item[keyPath: property]
  }

  /// All fields.
  ///
  /// Setting it saves every field that differs; `store.item = User()` goes back to the defaults.
  public final var item: Item {
    @inlinable get {
      tracker.access()
      return state.lock.withLock { _ in state.item }
    }
    set { assign(newValue, to: \.self) }
    _modify {
      let edit = begin()
      var base = base(of: edit)
      var item = current
      defer { finishReporting(edit, &base, &item) }
      yield &item
    }
  }
}
