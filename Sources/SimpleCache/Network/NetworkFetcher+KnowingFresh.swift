extension NetworkFetcher: KnowingFresh {
  /// One that keeps nothing is where fresh values come from, and what it gives is shared as such.
  var knowsFresh: Bool { responses != nil }
}
