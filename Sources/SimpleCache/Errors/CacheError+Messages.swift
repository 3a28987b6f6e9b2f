import FileSupport
public import Foundation
import SimpleStore

// Every sentence that this package says about an error of a cache. The data is in `CacheError.swift`.

extension CacheError: CustomStringConvertible {
  /// What was being done, in which level and on which key and path, what the system answered, and what
  /// to do next.
  public var description: String {
    var sentences = "\(level): cannot \(task): \(reason)"
    if let cause { sentences += ": \(cause)" }
    sentences += "."
    if !message.isEmpty, !saysMessageAsReason { sentences += " \(message)" }
    return sentences + " \(advice)"
  }

  /// More than the code says; may be empty.
  public var message: String {
    switch detail {
    case .text(let text): text
    case .system(let error): Self.sentence(of: error)
    case .timeLimit(let limit): "no answer within \(Self.spell(limit))"
    case .batch(let keys, let values):
      Self.count(keys, "key") + " and " + Self.count(values, "value")
    case .notText(let bytes, let encoding): "the \(bytes) bytes are not text in \(encoding)"
    case .notSpelt(let encoding): "the text cannot be spelt in \(encoding)"
    case .noPressure(let stallFile, let stallError, let groupFile, let groupError):
      "\(stallFile): \(Self.answer(stallError)); "
        + (groupFile.map { "\($0): \(Self.answer(groupError))" }
          ?? "no control group of version 2")
    }
  }

  private var saysMessageAsReason: Bool {
    if case .text = detail { false } else { true }
  }

  private var task: String {
    let key = key.map { "“\($0)”" }
    switch operation {
    case Operation.get?: return "get \(key ?? "a value")"
    case Operation.set?: return "set \(key ?? "a value")"
    case Operation.remove?: return "remove \(key ?? "a value")"
    case Operation.removeAll?: return "remove everything"
    case Operation.list?: return "look through the entries"
    default: break
    }
    switch code {
    case .status, .tooLarge, .unreachable, .timedOut: return "get \(key ?? "a value")"
    case .untransformable: return "convert \(key ?? "a value")"
    default: return key.map { "do what was asked for \($0)" } ?? "do what was asked"
    }
  }

  private var reason: String {
    if saysMessageAsReason { return message }
    switch code {
    case .untransformable: return "the key or the value cannot be converted"
    case .refused: return "the condition refuses it"
    case .timedOut: return "no answer in the time allowed"
    case .status: return "the server answered with the status \(status ?? 0)"
    case .tooLarge: return "the answer is larger than allowed"
    case .unreachable: return "the server cannot be reached, or broke off"
    case .mismatchedBatch: return "a list needs one value for each key"
    case .circular: return "the source that fetches it asks this cache for it"
    case .unavailable: return "this system does not have it"
    default: return "it failed"
    }
  }

  /// The error that caused it, in its own words.
  private var cause: String? {
    guard let underlying else { return nil }
    let words =
      switch underlying {
      case let error as CacheError:
        "\(error.level): \(error.reason)\(error.cause.map { ": \($0)" } ?? "")"
      case let error as StoreError: error.problem
      case let error as FormatError: error.sentence
      case let error as DecodingError: Self.spell(error)
      case let error as EncodingError: Self.spell(error)
      case let error as any LocalizedError: error.errorDescription ?? "\(error)"
      case let error as URLError: error.localizedDescription
      default: "\(underlying)"
      }
    return words.hasSuffix(".") ? String(words.dropLast()) : words
  }

  private var advice: String {
    if case .system(let error) = detail { return Self.advice(after: error) }
    switch code {
    case .untransformable:
      return operation == .set
        ? "Nothing was changed. Set a value that can be converted."
        : "Ask for what can be converted, or set it again."
    case .refused: return "Nothing was asked for or changed. Use another key."
    case .timedOut: return "Try again later, or allow more time."
    case .status where isTransient: return "Try again later."
    case .status: return "Check the key; asking again will not help."
    case .tooLarge: return "Raise the size limit, or ask for less."
    case .unreachable: return "Check the network, then try again."
    case .mismatchedBatch: return "Nothing was changed. Give one value for each key."
    case .circular: return "Have the source fetch it from somewhere else."
    case .unavailable: return "Asking again will not help."
    default: break
    }
    if (underlying as? StoreError)?.code == .damaged {
      return "Nothing was changed. Repair it, or remove everything."
    }
    return "Put right what it says, then try again."
  }
}

extension CacheError: LocalizedError {
  /// ``description``, for programs that show `localizedDescription`.
  public var errorDescription: String? { description }
}

// What the system answered.
extension CacheError {
  private static func answer(_ code: Int32) -> String {
    "\(String(cString: strerror(code))) (errno \(code))"
  }

  /// What a failed system call is called, where it was, and what the system answered.
  private static func sentence(of error: FileError) -> String {
    let place = error.path.isEmpty ? "" : " '\(error.path)'"
    if let found = error.found { return "\(doing(error.step))\(place): it is \(found)" }
    switch error.step {
    case .findHome: return "this user has no home directory"
    case .checkName:
      return doing(error.step) + place
        + ": a name is not empty, '.' or '..', and has no slash and no NUL"
    default: return "\(doing(error.step))\(place): \(answer(error.code))"
    }
  }

  private static func doing(_ step: FileError.Step) -> String {
    switch step {
    case .findHome: "finding the home directory"
    case .resolvePath: "following the path"
    case .checkName: "checking the name"
    case .checkWritable: "checking that it may be written"
    case .makeDirectory: "making the folder"
    case .openDirectory: "opening the folder"
    case .openLock: "opening the lock file of"
    case .lock: "locking"
    case .openFile: "opening the entry"
    case .examineFile: "looking at the entry"
    case .readFile: "reading the entry"
    case .removeLeftover: "removing the entry"
    case .createTemporary: "making the new entry"
    case .setOwner: "setting the owner of"
    case .setMode: "setting the permissions of"
    case .write: "writing the new entry"
    case .sync: "making it safe on the disk"
    case .close: "closing the new entry"
    case .replace: "putting the new entry in its place"
    case .syncDirectory: "making the folder safe on the disk"
    case .moveAside: "moving aside"
    }
  }

  private static func advice(after error: FileError) -> String {
    switch (error.step, error.code) {
    case (.findHome, _): "Set HOME or XDG_CACHE_HOME."
    case (.checkName, _): "Choose another name."
    case (.resolvePath, EINVAL): "Choose a folder by the URL of a file (URL(filePath:) makes one)."
    case (_, ENOSPC), (_, EDQUOT): "Free some space, then try again."
    case (_, EACCES), (_, EPERM), (_, EROFS):
      "Give this user permission to read and write there, then try again."
    case (_, ENOTDIR), (_, ELOOP): "Choose a folder that is one, and no link."
    case (_, ENAMETOOLONG): "Choose a shorter path."
    case (_, EMFILE), (_, ENFILE): "Close some files, then try again."
    default: "Put right what the system says, then try again."
    }
  }
}

// What has words of its own that are not for people.
extension CacheError {
  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  private static func spell(_ duration: Duration) -> String {
    "\(duration / .seconds(1)) s"
  }

  private static func spell(_ error: DecodingError) -> String {
    switch error {
    case .typeMismatch(let type, let context):
      "\(place(context.codingPath))no \(type) there (\(context.debugDescription))"
    case .valueNotFound(let type, let context):
      "\(place(context.codingPath))null where \(type) should be"
    case .keyNotFound(let key, let context):
      "\(place(context.codingPath))no key '\(key.stringValue)'"
    case .dataCorrupted(let context): "\(place(context.codingPath))\(context.debugDescription)"
    @unknown default: error.localizedDescription
    }
  }

  private static func spell(_ error: EncodingError) -> String {
    switch error {
    case .invalidValue(let value, let context):
      "\(place(context.codingPath))'\(String("\(value)".prefix(40)))' cannot be encoded"
    @unknown default: error.localizedDescription
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    if path.isEmpty { return "" }
    let names = path.map { $0.intValue.map(String.init) ?? $0.stringValue }
    return "at '\(names.joined(separator: "/"))': "
  }
}
