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
/// }
/// ```
public struct CacheError: Error, Sendable {
  /// The kind of failure, to switch on. More may be added in later versions.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }

    /// A level or a source could not do what it was asked; ``CacheError/underlying`` says why.
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
    /// What was asked for does not exist on this system.
    public static let unavailable = Code("unavailable")
  }

  /// The kind of failure.
  public let code: Code
  /// The name of the level or source that failed.
  public let level: String
  /// The key, as text, at most 200 characters of it; `nil` if no single key was concerned.
  public let key: String?
  /// The HTTP status, if the server answered with one.
  public let status: Int?
  /// The error that caused it.
  public let underlying: (any Error)?
  /// More than the code says, as a sentence; may be empty.
  public let message: String

  /// An error of a level of your own.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - level: The name of the level.
  ///   - key: The key, of whatever type.
  ///   - status: The HTTP status.
  ///   - message: A sentence that says what was being done and what to do next.
  ///   - underlying: The error that caused it.
  public init(
    _ code: Code, level: String, key: Any? = nil, status: Int? = nil, message: String = "",
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.level = level
    self.key = key.map { String(String(describing: $0).prefix(200)) }
    self.status = status
    self.message = message
    self.underlying = underlying
  }

  /// The error of a level as the levels above it see it: a ``CacheError`` and a `CancellationError`
  /// stay what they are, anything else becomes the cause of a ``CacheError``.
  ///
  /// - Parameters:
  ///   - error: What was thrown.
  ///   - level: The name of the level that threw it.
  ///   - key: The key it was asked for.
  public static func wrapping(_ error: any Error, level: String, key: Any?) -> any Error {
    if error is CacheError || error is CancellationError { return error }
    return CacheError(.failed, level: level, key: key, underlying: error)
  }
}
