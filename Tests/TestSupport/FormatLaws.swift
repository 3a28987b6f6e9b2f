package import SimpleStore

/// The laws of ``DocumentFormat``, to be tried on every format.
///
/// Each law gives a list of what it found wrong, so that a test reads
/// `#expect(laws.roundTrip() == [])` and names the culprit when it fails.
package struct FormatLaws: Sendable {
  /// The format under trial.
  package let format: any DocumentFormat
  /// What `decode(encode(document))` has to give; nil when `encode` has to throw. A format that
  /// spells some value as another kind (JSON: data as text) says so here.
  package let projection: @Sendable (StoreDocument) -> StoreDocument?

  package init(
    _ format: any DocumentFormat,
    projection: @escaping @Sendable (StoreDocument) -> StoreDocument? = { $0 }
  ) {
    self.format = format
    self.projection = projection
  }

  /// What was encoded decodes equal, in order, and encodes to the same bytes again; a document
  /// that the format cannot hold is refused.
  package func roundTrip(_ samples: [DocumentSample] = DocumentSamples.extremes) -> [String] {
    samples.compactMap { sample in
      fault(of: sample.document).map { "\(sample.name): \($0)" }
    }
  }

  /// The same for `count` documents made at random.
  package func roundTripAtRandom(
    count: Int, seed: UInt64, kinds: [RandomDocument.Kind] = RandomDocument.Kind.allCases
  ) -> [String] {
    var random = RandomDocument(seed: seed, kinds: kinds)
    return (0..<count).compactMap { number in
      let document = random.next()
      return fault(of: document).map { "seed \(seed), document \(number): \($0)" }
    }
  }

  private func fault(of document: StoreDocument) -> String? {
    let expected = projection(document)
    do {
      let bytes = try format.encode(document)
      guard let expected else { return "encoded, but cannot be held" }
      let decoded = try format.decode(bytes)
      if decoded != expected { return Self.difference(decoded, expected) }
      let again = try format.encode(decoded)
      return again == bytes ? nil : "encoding what was decoded gives other bytes"
    } catch {
      return expected == nil ? nil : "\(error)"
    }
  }

  /// Of duplicate keys the last one counts, in the place of the first.
  ///
  /// - Parameter bytes: Spells the keys `a` 1, `b` 2, `a` 3, and under `inner` the same again.
  package func duplicates(_ bytes: [UInt8]) -> [String] {
    let inner: StoreDocument = ["a": .integer(3), "b": .integer(2)]
    let expected: StoreDocument = [
      "a": .integer(3), "b": .integer(2), "inner": .dictionary(inner),
    ]
    do {
      let decoded = try format.decode(bytes)
      return decoded == expected ? [] : [Self.difference(decoded, expected)]
    } catch {
      return ["\(error)"]
    }
  }

  /// Depth 128 passes; 129 and a million are ``FormatError/Reason/tooDeep``, reading and writing.
  ///
  /// - Parameter bytes: Spells a document whose deepest container is at the depth given; nil where
  ///   the format cannot be written by hand.
  package func depth(_ bytes: ((Int) -> [UInt8])?) -> [String] {
    var faults: [String] = []
    let limit = FormatLimits.depth
    // A million levels of values would overflow the stack when they are freed, before any format
    // sees them; two thousand are far over the limit too.
    for build in [DocumentSamples.nested, DocumentSamples.nestedDictionaries] {
      for (depth, allowed) in [(limit, true), (limit + 1, false), (2_000, false)] {
        let found = reason { () throws(FormatError) in try format.encode(build(depth)) }
        if found != (allowed ? nil : FormatError.Reason.tooDeep) {
          faults.append("encode, depth \(depth): \(String(describing: found))")
        }
      }
    }
    guard let bytes else { return faults }
    for (depth, allowed) in [(limit, true), (limit + 1, false), (1_000_000, false)] {
      let found = reason { () throws(FormatError) in try format.decode(bytes(depth)) }
      if found != (allowed ? nil : FormatError.Reason.tooDeep) {
        faults.append("decode, depth \(depth): \(String(describing: found))")
      }
    }
    return faults
  }

  /// Every truncation and every single-byte change of some bytes decodes or throws, each within
  /// `limit`; what decodes can be encoded again.
  package func mutations(of bytes: [UInt8], limit: Duration = .seconds(5)) -> [String] {
    var faults: [String] = []
    let clock = ContinuousClock()
    for (number, damaged) in Mutations(of: bytes).enumerated() {
      let time = clock.measure {
        do {
          let document = try format.decode(damaged)
          do {
            _ = try format.encode(document)
          } catch {
            faults.append("mutation \(number) decodes but does not encode: \(error)")
          }
        } catch {
          // Refused: as good as a value. What must not happen is a trap or a hang.
        }
      }
      if time > limit { faults.append("mutation \(number) took \(time)") }
    }
    return faults
  }

  private func reason<Result>(_ body: () throws(FormatError) -> Result) -> FormatError.Reason? {
    do {
      _ = try body()
      return nil
    } catch {
      return error.reason
    }
  }

  /// The first entry in which two documents differ, cut to a readable length.
  private static func difference(_ found: StoreDocument, _ expected: StoreDocument) -> String {
    for (left, right) in zip(found.entries, expected.entries) where left != right {
      return "found \(short(left)), expected \(short(right))"
    }
    return "found \(found.count) keys, expected \(expected.count)"
  }

  private static func short(_ entry: StoreDocument.Entry) -> String {
    let text = "\(entry.key.debugDescription): \(entry.value)"
    return text.count > 300 ? "\(text.prefix(300))…" : text
  }
}
