public import Foundation

/// A `Codable` value from JSON and back.
///
/// ```swift
/// let articles = NetworkFetcher().transformValues(JSONTransformer<[Article]>())
/// ```
public struct JSONTransformer<Value: Codable & Sendable>: TwoWayTransformer {
  private let makeDecoder: @Sendable () -> JSONDecoder
  private let makeEncoder: @Sendable () -> JSONEncoder

  /// A transformer, by default as a new decoder and encoder read and write.
  ///
  /// - Parameters:
  ///   - decoder: Makes the decoder, so that its strategies can be set. Called for each value:
  ///     a decoder must not be used by two threads.
  ///   - encoder: Makes the encoder.
  public init(
    decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() },
    encoder: @escaping @Sendable () -> JSONEncoder = { JSONEncoder() }
  ) {
    makeDecoder = decoder
    makeEncoder = encoder
  }

  public func transform(_ input: Data) throws -> Value {
    try makeDecoder().decode(Value.self, from: input)
  }

  public func inverseTransform(_ output: Value) throws -> Data {
    try makeEncoder().encode(output)
  }
}
