import SimpleStore

/// Gives each place of one kind one object in this process, for as long as somebody uses it.
final class PlaceRegistry<Place: AnyObject & Sendable>: Sendable {
  private struct Weak {
    weak var place: Place?
  }
  private let places = Guarded<[[UInt8]: Weak]>([:])

  /// The object of a place: the one that is there, or a new one.
  ///
  /// - Parameters:
  ///   - name: What tells the place from others; no part has a NUL. Compared by its bytes, as the
  ///     system does.
  ///   - make: Makes the object.
  func place(named name: [String], _ make: () -> Place) -> Place {
    let key = Array(name.map { Array($0.utf8) }.joined(separator: [0]))
    return places.withLock { places in
      if let place = places[key]?.place { return place }
      let place = make()
      places = places.filter { $0.value.place != nil }
      places[key] = Weak(place: place)
      return place
    }
  }
}
