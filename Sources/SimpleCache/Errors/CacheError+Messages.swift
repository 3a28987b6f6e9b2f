extension CacheError: CustomStringConvertible {
  /// The whole sentence.
  public var description: String {
    var text = "\(level): \(reason)"
    if let key { text += " for “\(key)”" }
    if !message.isEmpty { text += ". " + message }
    if let underlying { text += " (\(underlying))" }
    return text
  }

  private var reason: String {
    switch code {
    case .untransformable: "cannot convert the key or value"
    case .refused: "the condition refused the request"
    case .timedOut: "no answer in the time allowed"
    case .status: "the server answered with status \(status ?? 0)"
    case .tooLarge: "the answer is larger than allowed"
    case .unreachable: "the server cannot be reached or broke off"
    case .mismatchedBatch: "a batch needs one value for each key"
    case .unavailable: "not available on this system"
    default: "failed"
    }
  }

  /// Whether asking again can help: not after a status that blames the request, a value that cannot
  /// be converted, a refusal, or an answer that is too large.
  public var isTransient: Bool {
    switch code {
    case .untransformable, .refused, .tooLarge, .mismatchedBatch, .unavailable: false
    // RFC 9110, section 15.5: the request is at fault, except that it took too long (408), came too
    // early (RFC 8470: 425) or too often (RFC 6585: 429).
    case .status: status.map { !(400..<500).contains($0) || [408, 425, 429].contains($0) } ?? true
    default: true
    }
  }
}
