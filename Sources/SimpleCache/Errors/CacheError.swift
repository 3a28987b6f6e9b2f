import FileSupport

/// What went wrong in a cache: in which level, on which key, and what caused it.
///
/// A miss is not an error, and cancellation stays `CancellationError`. An error that a level of your
/// own throws becomes the ``underlying`` of one of these where levels are composed.
///
/// ```swift
/// do {
///   let page = try await pages.get(url)
/// } catch let error as CacheError where error.code == .status {
///   print(error.status ?? 0, error.level, error.key ?? "-")
///   print(error)  // the whole sentence
/// }
/// ```
public struct CacheError: Error, Sendable {
  /// The kind of failure, to switch on. More may be added in later versions.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }

    /// A level or a source could not do what it was asked; ``CacheError/underlying`` or
    /// ``CacheError/systemError`` says why.
    public static let failed = Code("failed")
    /// A transformer could not convert a key or a value.
    public static let untransformable = Code("untransformable")
    /// A condition refused the key.
    public static let refused = Code("refused")
    /// It took longer than was allowed.
    public static let timedOut = Code("timedOut")
    /// The server answered, with a status that is no success.
    public static let status = Code("status")
    /// The answer is larger than was allowed.
    public static let tooLarge = Code("tooLarge")
    /// The server could not be reached, or the transfer broke off.
    public static let unreachable = Code("unreachable")
    /// The number of values is not the number of keys.
    public static let mismatchedBatch = Code("mismatchedBatch")
    /// A source asked its own pooled cache for what it is fetching.
    public static let circular = Code("circular")
    /// What was asked for does not exist on this system.
    public static let unavailable = Code("unavailable")
  }

  /// What a level was asked to do. More may be added in later versions.
  public struct Operation: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }

    /// A value was read.
    public static let get = Operation("get")
    /// A value was set.
    public static let set = Operation("set")
    /// A value was removed.
    public static let remove = Operation("remove")
    /// Everything was removed.
    public static let removeAll = Operation("removeAll")
    /// The entries were looked through: for their keys, their number, or what has expired.
    public static let list = Operation("list")
  }

  /// What the sentence is made from, beyond the code.
  enum Detail: Sendable {
    /// A sentence from elsewhere; may be empty.
    case text(String)
    case system(FileError)
    case timeLimit(Duration)
    case batch(keys: Int, values: Int)
    /// Bytes that are no text, or text that has no bytes.
    case notText(bytes: Int, encoding: String)
    case notSpelt(encoding: String)
    case noPressure(stallFile: String, stallError: Int32, groupFile: String?, groupError: Int32)
  }

  /// The kind of failure.
  public let code: Code
  /// The name of the level or source that failed.
  public let level: String
  /// The key, as text, at most 200 characters of it; `nil` if no single key was concerned.
  public let key: String?
  /// What the level was doing; `nil` if that is not known.
  public internal(set) var operation: Operation?
  /// The HTTP status, if the server answered with one.
  public let status: Int?
  /// The error that caused it.
  public let underlying: (any Error)?
  let detail: Detail

  /// An error of a level of your own.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - level: The name of the level.
  ///   - key: The key, of whatever type.
  ///   - operation: What the level was doing.
  ///   - status: The HTTP status.
  ///   - message: A sentence that says what was wrong, if the code does not say it.
  ///   - underlying: The error that caused it.
  public init(
    _ code: Code, level: String, key: Any? = nil, operation: Operation? = nil,
    status: Int? = nil, message: String = "", underlying: (any Error)? = nil
  ) {
    self.init(
      code, .text(message), level: level, key: key, operation: operation, status: status,
      underlying: underlying)
  }

  init(
    _ code: Code, _ detail: Detail, level: String, key: Any? = nil, operation: Operation? = nil,
    status: Int? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.detail = detail
    self.level = level
    self.key = key.map { String(String(describing: $0).prefix(200)) }
    self.operation = operation
    self.status = status
    self.underlying = underlying
  }

  /// The error of a level as the levels above it see it: a ``CacheError`` and a `CancellationError`
  /// stay what they are, anything else becomes the cause of a ``CacheError``.
  ///
  /// - Parameters:
  ///   - error: What was thrown.
  ///   - level: The name of the level that threw it.
  ///   - key: The key it was asked for.
  ///   - operation: What it was asked to do.
  public static func wrapping(
    _ error: any Error, level: String, key: Any?, operation: Operation? = nil
  ) -> any Error {
    if error is CancellationError { return error }
    guard var error = error as? CacheError else {
      return CacheError(.failed, level: level, key: key, operation: operation, underlying: error)
    }
    error.operation = error.operation ?? operation
    return error
  }

  /// The file or folder that was concerned, if it was one.
  public var path: String? {
    if case .system(let error) = detail { error.path } else { nil }
  }

  /// The `errno` of the system call that failed, if one did.
  public var systemError: Int32? {
    if case .system(let error) = detail { error.code } else { nil }
  }

  /// Whether asking again can help: not after a status that blames the request, a value that cannot
  /// be converted, a refusal, or an answer that is too large.
  public var isTransient: Bool {
    switch code {
    case .untransformable, .refused, .tooLarge, .mismatchedBatch, .circular, .unavailable: false
    // RFC 9110, section 15.4: a redirect that is not followed leads to the same place the next time.
    // Section 15.5: the request is at fault, except that it took too long (408), came too early
    // (RFC 8470: 425) or too often (RFC 6585: 429).
    case .status: status.map { !(300..<500).contains($0) || [408, 425, 429].contains($0) } ?? true
    default: true
    }
  }
}
