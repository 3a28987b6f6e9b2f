/// What is made of other sources, and knows a cached value from a fresh one if they do.
///
/// Its type may be a ``RefreshableSource`` also where what is inside is none, as that of ``AnySource``.
protocol KnowingFresh {
  var knowsFresh: Bool { get }
}

/// Whether a source knows a cached value from a fresh one; if not, all that it gives counts as fresh.
func knowsFresh(_ source: some CacheSource) -> Bool {
  if let source = source as? any KnowingFresh { return source.knowsFresh }
  return source is any RefreshableSource
}

extension UsePassing {
  var knowsFresh: Bool { SimpleCache.knowsFresh(base) }
}

extension AnySource: KnowingFresh {
  var knowsFresh: Bool { SimpleCache.knowsFresh(base) }
}

extension AnyLevel: KnowingFresh {
  var knowsFresh: Bool { SimpleCache.knowsFresh(base) }
}

extension KeyTransformed: KnowingFresh {
  var knowsFresh: Bool { SimpleCache.knowsFresh(base) }
}

extension BatchSource: KnowingFresh {
  var knowsFresh: Bool { SimpleCache.knowsFresh(base) }
}

/// If one does, what comes may be a cached value.
extension SwitchedSource: KnowingFresh {
  var knowsFresh: Bool { SimpleCache.knowsFresh(first) || SimpleCache.knowsFresh(second) }
}
