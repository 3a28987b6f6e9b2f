package import SimpleStore

/// The laws of ``StoreBackend``, to be tried on every backend.
///
/// Each law gives a list of what it found wrong, so that a test reads `#expect(laws.… == [])`.
package struct BackendLaws: Sendable {
  /// Makes a backend on the place under trial; each call a fresh one, as another part of the
  /// program would.
  package let backend: @Sendable () -> any StoreBackend
  /// A document as the backend gives it back, where its format spells a value as another kind.
  package let projection: @Sendable (StoreDocument) -> StoreDocument

  package init(
    projection: @escaping @Sendable (StoreDocument) -> StoreDocument = { $0 },
    _ backend: @escaping @Sendable () -> any StoreBackend
  ) {
    self.backend = backend
    self.projection = projection
  }

  private static let first: StoreDocument = [
    "b": .integer(1), "a": .array([.bool(true), .null]), "": .string("e\u{301}\u{0}"),
  ]
  private static let second: StoreDocument = ["a": .dictionary(["x": .double(-0.0)])]

  /// 1. Nothing saved loads as nil.
  package func nothingLoadsAsNil() -> [String] {
    attempt { try backend().load() == nil ? [] : ["something was there"] }
  }

  /// 2. What was saved loads equal, from this backend and from a fresh one.
  package func savedLoadsEqual() -> [String] {
    attempt {
      var faults: [String] = []
      let own = backend()
      for document in [Self.first, Self.second, StoreDocument()] {
        try own.lock()
        defer { own.unlock() }
        try own.save(document)
        for (name, reader) in [("the same", own), ("a fresh", backend())]
        where try reader.load() != projection(document) {
          faults.append("\(name) backend loads another document than \(document.keys)")
        }
      }
      return faults
    }
  }

  /// 3. A save that throws leaves the last document loadable.
  package func failedSaveKeepsTheLast() -> [String] {
    attempt {
      let own = backend()
      try own.save(Self.first)
      var deep = StoreValue.null
      for _ in 0..<200 { deep = .array([deep]) }
      let tooDeep: StoreDocument = ["deep": deep]
      do {
        try own.save(tooDeep)
        // A backend that can hold it may save it.
        return try backend().load() == tooDeep ? [] : ["saved, but another document"]
      } catch {
        return try backend().load() == projection(Self.first) ? [] : ["the last document is gone"]
      }
    }
  }

  /// 4. Loading changes nothing: the same document again, and nil stays nil.
  package func loadingChangesNothing() -> [String] {
    attempt {
      let before = try backend().load()
      return try (0..<3).allSatisfy { _ in try backend().load() == before }
        ? [] : ["another document after loading"]
    }
  }

  /// 5. Calls from several threads are safe, and a reader sees a whole document.
  package func readersSeeWholeDocuments() async -> [String] {
    await withTaskGroup(of: [String].self) { group in
      let whole = [projection(Self.first), projection(Self.second)]
      _ = attempt {
        try backend().save(Self.first); return []
      }
      group.addTask {
        attempt {
          let own = backend()
          for round in 0..<50 {
            try own.lock()
            defer { own.unlock() }
            try own.save(round.isMultiple(of: 2) ? Self.second : Self.first)
          }
          return []
        }
      }
      for _ in 0..<3 {
        group.addTask {
          attempt {
            for _ in 0..<50 {
              guard let found = try backend().load(), whole.contains(found) else {
                return ["a reader saw half a document, or none"]
              }
            }
            return []
          }
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
  }

  private func attempt(_ law: () throws -> [String]) -> [String] {
    do { return try law() } catch { return ["\(error)"] }
  }
}
