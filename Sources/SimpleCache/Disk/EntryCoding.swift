public import Foundation
public import SimpleStore

/// How the value of an entry becomes the bytes of a file, and back.
///
/// ```swift
/// let pages = DiskLevel<URL, [String]>(named: "pages", coding: .json)
/// ```
public struct EntryCoding<Value: Sendable>: Sendable {
  let encode: @Sendable (Value) throws -> Data
  let decode: @Sendable (Data) throws -> Value

  /// A coding of your own.
  ///
  /// - Parameters:
  ///   - encode: Gives the bytes of a value.
  ///   - decode: Gives the value of bytes. When it throws, the entry is damaged: a miss, and removed.
  public init(
    encode: @escaping @Sendable (Value) throws -> Data,
    decode: @escaping @Sendable (Data) throws -> Value
  ) {
    self.encode = encode
    self.decode = decode
  }
}

/// A coding turns the values of any level of bytes into others:
///
/// ```swift
/// let tags = MemoryLevel<String, Data>().transformValues(EntryCoding<[String]>.storeValue)
/// ```
extension EntryCoding: TwoWayTransformer {
  public func transform(_ input: Data) throws -> Value { try decode(input) }
  public func inverseTransform(_ output: Value) throws -> Data { try encode(output) }
}

/// Bytes that are not those of a value.
struct UndecodableEntry: Error {}

extension EntryCoding where Value == Data {
  /// The bytes themselves.
  public static var data: Self { Self(encode: { $0 }, decode: { $0 }) }
}

extension EntryCoding where Value == String {
  /// UTF-8.
  public static var text: Self {
    Self(encode: { Data($0.utf8) }) { data in
      guard let text = String(validating: data, as: UTF8.self) else { throw UndecodableEntry() }
      return text
    }
  }
}

extension EntryCoding where Value: Codable {
  /// JSON, by `JSONEncoder`.
  public static var json: Self {
    Self(
      encode: { try JSONEncoder().encode($0) },
      decode: { try JSONDecoder().decode(Value.self, from: $0) })
  }

  /// A binary property list, which has data and dates of its own.
  public static var propertyList: Self {
    Self(
      encode: {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return try encoder.encode($0)
      },
      decode: { try PropertyListDecoder().decode(Value.self, from: $0) })
  }
}

extension EntryCoding where Value: StoreConvertible {
  /// What a SimpleStore would keep of it, in a binary property list.
  public static var storeValue: Self {
    Self(
      encode: { value in
        let document: StoreDocument = ["value": value.storeValue]
        return Data(try BinaryPropertyListFormat().encode(document))
      },
      decode: { data in
        let document = try BinaryPropertyListFormat().decode(Array(data))
        guard let stored = document["value"], let value = Value(storeValue: stored) else {
          throw UndecodableEntry()
        }
        return value
      })
  }
}
