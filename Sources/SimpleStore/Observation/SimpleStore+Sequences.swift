import Synchronization

extension SimpleStore {
  /// The stored changes of the item, from now on.
  ///
  /// ```swift
  /// for await change in store.changes {
  ///   print(change.keys, change.new.name)
  /// }
  /// ```
  ///
  /// Changes that a slow reader has not come to are joined into one, as if they had been a batch:
  /// `old` is that of the first, `new` and `origin` those of the last, `keys` those whose values
  /// differ between the two. Changes that cancel each other out are then not told at all.
  public var changes: StoreSequence<StoreChange<Item>> {
    StoreSequence { [weak self] in
      self?.subscribe(
        base: { _ in nil }, first: false, join: { $0.joined(with: $1) }, element: { $0 })
    }
  }

  /// The values of a field, from now on.
  ///
  /// ```swift
  /// for await name in store.values(\.name) { print(name) }
  /// ```
  ///
  /// A value is given only when it differs from the one before. A slow reader gets the newest
  /// value; those in between are left out.
  ///
  /// - Parameters:
  ///   - field: A field, a field of a nested item, or a property that is computed from fields.
  ///   - initial: Whether the value of now comes first.
  public func values<Value: StoreConvertible>(
    _ field: any KeyPath<Item, Value> & Sendable, initial: Bool = true
  ) -> StoreSequence<Value> {
    StoreSequence(
      differ: { $0.storeValue != $1.storeValue },
      subscribe: { [weak self] in
        self?.subscribe(
          base: { $0[keyPath: field] }, first: initial, join: { $1 },
          element: { change in
            let new = change.new[keyPath: field]
            return change.old[keyPath: field].storeValue != new.storeValue ? new : nil
          })
      })
  }

  /// Begins to listen for a reader.
  ///
  /// - Parameters:
  ///   - base: What the reader is taken to know, made from the item of now.
  ///   - first: Whether that waits for him to begin with.
  ///   - element: What he is given for a change; nil for nothing.
  private func subscribe<Element: Sendable>(
    base: (Item) -> Element?, first: Bool,
    join: @escaping @Sendable (Element, Element) -> Element?,
    element: @escaping @Sendable (StoreChange<Item>) -> Element?
  ) -> StoreSequence<Element>.Subscription {
    while true {
      let (item, replacements) = state.withLock { ($0.saved, $0.replacements) }
      // Not under the lock: a computed property may read this store.
      let base = base(item)
      let mailbox = Mailbox(first ? base : nil, join: join)
      let observer = StoreObserver<Item> { change in
        if let element = element(change) { mailbox.put(element) }
      }
      observer.whenStoreEnds { mailbox.finish() }
      // Not if there was a change meanwhile, which it would neither know nor be told.
      let isCurrent = state.withLock { state in
        guard state.replacements == replacements else { return false }
        state.observers.append(WeakObserver(observer))
        return true
      }
      if isCurrent {
        return StoreSequence.Subscription(
          mailbox, observation(of: observer), known: first ? nil : base)
      }
    }
  }
}
