import Foundation

/// The headers that a fetcher was given for its requests, and which of them are whose business.
struct RequestHeaders: Sendable {
  struct Field: Sendable {
    let name: String
    let value: String
  }

  /// What any server may see. Everything else may be a secret: of the name of a header one cannot
  /// tell (`X-API-Key`).
  private static let harmless: Set<String> = [
    "accept", "accept-language", "accept-encoding", "user-agent",
  ]

  /// By lower-case name.
  private let fields: [String: Field]

  /// - Parameters:
  ///   - headers: Those of the fetcher; of two spellings of one name, the last in order counts.
  ///   - additional: Those of its configuration, where the fetcher's say nothing.
  init(_ headers: [String: String], over additional: [AnyHashable: Any]? = nil) {
    let base = (additional ?? [:]).map {
      Field(name: String(describing: $0.base), value: String(describing: $1))
    }
    let own = headers.map { Field(name: $0, value: $1) }
    fields = (base.sorted { $0.name < $1.name } + own.sorted { $0.name < $1.name })
      .reduce(into: [:]) { $0[$1.name.lowercased()] = $1 }
  }

  /// Those of a request to the server that the address names, or to one that it has led to.
  func fields(atHome isAtHome: Bool) -> [Field] {
    fields.filter { isAtHome || Self.harmless.contains($0.key) }.map(\.value)
  }

  /// - Parameter name: In lower case.
  func value(_ name: String) -> String? { fields[name]?.value }

  /// The names of those that may be secret, in lower case and in order.
  var secretNames: [String] { fields.keys.filter { !Self.harmless.contains($0) }.sorted() }
}
