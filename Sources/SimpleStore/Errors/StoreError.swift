/// What went wrong with a store: what was being done, on which key and path, what the system
/// answered, and (in ``description``) what to do next.
///
/// ```swift
/// do {
///   try store.set(\.name, to: "sky")
/// } catch {
///   print(error.code, error.key ?? "-", error.path ?? "-", error.systemError ?? 0)
///   print(error)  // the whole sentence
/// }
/// ```
public struct StoreError: Error, Sendable {
  /// The kind of failure, to switch on. More may be added in later versions.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// The store is there but cannot be read: not permitted, an I/O error, not a regular file.
    public static let unreadable = Code(description: "unreadable")
    /// The content is not a document of this format: cut off, overwritten, of another format.
    public static let damaged = Code(description: "damaged")
    /// A save did not happen; the old content is as it was.
    public static let unwritable = Code(description: "unwritable")
    /// A value that cannot be stored: nested too deep, too large, outside the limits of its field,
    /// or one whose encoding throws.
    public static let invalidValue = Code(description: "invalidValue")
    /// A path or a name that cannot be a store's.
    public static let invalidLocation = Code(description: "invalidLocation")
    /// The file is open in this process with another format.
    public static let formatConflict = Code(description: "formatConflict")
    /// A step of ``StoreItem/migrations`` threw.
    public static let migrationFailed = Code(description: "migrationFailed")
    /// A copy was to be written where there is something already.
    public static let targetInUse = Code(description: "targetInUse")
    /// The service behind a backend is not there, or does not answer.
    public static let unavailable = Code(description: "unavailable")
    /// The service behind a backend is there, and what it keeps is locked.
    public static let locked = Code(description: "locked")
    /// The service behind a backend is there, and does not let this program in.
    public static let denied = Code(description: "denied")
  }

  /// What the sentence is made from.
  package enum Detail: Sendable {
    /// A system call that failed, named by its step.
    case system(step: String, code: Int32, found: String?)
    case format(FormatError)
    case value(ValueFault)
    /// A whole sentence, from a backend outside this package.
    case text(String)
    case migration(name: String, any Error)
    /// A migration asked for itself, by opening a store.
    case migrationInside(name: String)
    /// A save was asked for while a migration of the same document was running.
    case savedInside(name: String)
    /// The names of the migrations that have run are no names.
    case migrationNames
    case targetInUse
    case damagedFileStays
    case notAFile
    case alreadyOpen(as: String, wanted: String)
  }

  /// The kind of failure.
  public let code: Code
  /// The key whose value was refused, if it was one key.
  public internal(set) var key: String?
  /// The file, if there is one.
  public internal(set) var path: String?
  /// The error that a backend, a type or a migration of your own met.
  public let underlying: (any Error)?
  package let detail: Detail

  package init(
    _ code: Code, _ detail: Detail, key: String? = nil, path: String? = nil,
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.detail = detail
    self.key = key
    self.path = path
    self.underlying = underlying
  }

  /// A value that was refused before any file was touched.
  init(refusing error: any Error, key: String) {
    let fault = ValueFault(error)
    self.init(.invalidValue, .value(fault), key: key, underlying: fault.thrown)
  }

  /// An error of a backend of your own.
  ///
  /// - Parameters:
  ///   - code: The kind of failure: `.unreadable` and `.damaged` from `load`, `.unwritable` from
  ///     `save`.
  ///   - message: A whole sentence: what was being done and what to do next.
  ///   - key: The key whose value was refused, if it was one.
  ///   - path: The file, if there is one.
  ///   - underlying: The error that caused it.
  public init(
    _ code: Code, _ message: String, key: String? = nil, path: String? = nil,
    underlying: (any Error)? = nil
  ) {
    self.init(code, .text(message), key: key, path: path, underlying: underlying)
  }

  /// The `errno` of the system call that failed, if one did.
  public var systemError: Int32? {
    if case .system(_, let code, _) = detail { code } else { nil }
  }
  /// The line, from 1, at which a text file is damaged.
  public var line: Int? {
    if case .format(let error) = detail { error.line } else { nil }
  }
  /// The column, from 1, at which a text file is damaged.
  public var column: Int? {
    if case .format(let error) = detail { error.column } else { nil }
  }
}
