public import Foundation

/// A `Codable` value from bytes and back, by whatever encoder and decoder there is.
///
/// ```swift
/// let transformer = CodableTransformer<Page>(
///   encode: { try PropertyListEncoder().encode($0) },
///   decode: { try PropertyListDecoder().decode(Page.self, from: $0) })
/// ```
public struct CodableTransformer<Value: Codable & Sendable>: TwoWayTransformer {
  private let encode: @Sendable (Value) throws -> Data
  private let decode: @Sendable (Data) throws -> Value

  /// A transformer with these two functions.
  ///
  /// - Parameters:
  ///   - encode: Gives the bytes of a value.
  ///   - decode: Gives the value of bytes.
  public init(
    encode: @escaping @Sendable (Value) throws -> Data,
    decode: @escaping @Sendable (Data) throws -> Value
  ) {
    self.encode = encode
    self.decode = decode
  }

  public func transform(_ input: Data) throws -> Value { try decode(input) }
  public func inverseTransform(_ output: Value) throws -> Data { try encode(output) }
}
