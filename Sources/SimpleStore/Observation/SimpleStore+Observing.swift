import Synchronization

extension SimpleStore {
  /// Calls a closure after each change that is stored, whoever made it.
  ///
  /// ```swift
  /// let observation = store.observe { change in
  ///   print(change.keys, change.new.name)
  /// }
  /// ```
  ///
  /// * One call for each change, in the order in which they were stored, which is the same for
  ///   every observer. A batch is one change; what changes no value is none.
  /// * The change is on disk and readable from the store when the closure is called. (The store
  ///   may be further by then: `change.new` is what this change made of the item.)
  /// * The closure is called outside all locks, usually by the thread that made the change, before
  ///   the call that made it returns; when another thread is telling of an earlier change at that
  ///   moment, it tells of this one too. What was changed inside a batch, of this store or another
  ///   one, is told when the outermost batch of the thread has ended. The closure may do anything
  ///   with the store: what it changes is told after it has returned, so nothing grows.
  /// * Changes that are made while a closure runs wait for it, every one of them. What takes long is
  ///   better done by a reader of ``changes`` or ``values(_:initial:)``, who gets the newest.
  /// * An outside change is seen when the store looks: at a save, at ``reload()``, and at once
  ///   while it is watched (``watch()``).
  ///
  /// The closure may hold the store; the store does not hold the closure.
  ///
  /// - Parameter onChange: What to call.
  /// - Returns: The observation, which ends when it is cancelled or released;
  ///   ``StoreObservation/keep()`` lets it go on without being held.
  public func observe(
    _ onChange: @escaping @Sendable (StoreChange<Item>) -> Void
  ) -> StoreObservation {
    let (observation, observer) = observation(onChange)
    state.withLock { $0.observers.append(WeakObserver(observer)) }
    return observation
  }

  /// Calls a closure with the old and the new value of a field after each stored change of it.
  ///
  /// ```swift
  /// let observation = store.observe(\.name) { old, new in print(new) }
  /// ```
  ///
  /// Changes of other fields do not call it. Values are compared in their stored form. Everything
  /// that ``observe(_:)`` promises holds here too.
  ///
  /// - Parameters:
  ///   - field: A field, a field of a nested item, or a property that is computed from fields.
  ///   - initial: Whether to call the closure once with the value of now, as old and as new, before
  ///     all changes; before this returns, except inside a batch or while changes are being told.
  ///   - onChange: What to call.
  /// - Returns: The observation, as of ``observe(_:)``.
  public func observe<Value: StoreConvertible>(
    _ field: any KeyPath<Item, Value> & Sendable, initial: Bool = false,
    _ onChange: @escaping @Sendable (_ old: Value, _ new: Value) -> Void
  ) -> StoreObservation {
    let (observation, observer) = observation { change in
      let old = change.old[keyPath: field]
      let new = change.new[keyPath: field]
      if old.storeValue != new.storeValue { onChange(old, new) }
    }
    guard initial else {
      state.withLock { $0.observers.append(WeakObserver(observer)) }
      return observation
    }
    // With the core's lock, so that no change comes between reading the value and lining up the
    // call with it.
    core.begin()
    defer { core.end() }
    let item = state.withLock { state in
      state.observers.append(WeakObserver(observer))
      return state.saved
    }
    core.tell { [weak observer] in
      let value = item[keyPath: field]
      if let observer, observer.isActive { onChange(value, value) }
    }
    return observation
  }

  private func observation(
    _ onChange: @escaping @Sendable (StoreChange<Item>) -> Void
  ) -> (StoreObservation, StoreObserver<Item>) {
    let observer = StoreObserver<Item>(onChange: onChange)
    let observation = observation(of: observer)
    observer.whenStoreEnds { [weak observation] in observation?.cancel() }
    return (observation, observer)
  }

  /// A token that holds the observer and takes it out of the store's list.
  func observation(of observer: StoreObserver<Item>) -> StoreObservation {
    StoreObservation { [weak self] in
      observer.cancel()
      let id = ObjectIdentifier(observer)
      self?.state.withLock { $0.observers.removeAll { $0.id == id } }
    }
  }

  /// How many listen, for tests.
  package var observerCount: Int { state.withLock { $0.observers.count } }

  /// Tells everybody who still listens that there will be no more, when the store goes away.
  func endObservations() {
    let observers = state.withLock { state in
      defer { state.observers = [] }
      return state.observers
    }
    guard !observers.isEmpty else { return }
    core.begin()
    defer { core.end() }
    core.tell { for observer in observers { observer.observer?.end() } }
  }
}
