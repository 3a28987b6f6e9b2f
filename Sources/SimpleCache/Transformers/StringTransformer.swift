public import Foundation

/// Text from bytes and back.
public struct StringTransformer: TwoWayTransformer {
  private let encoding: String.Encoding

  /// A transformer of text in an encoding.
  ///
  /// - Parameter encoding: How the bytes spell the text.
  public init(encoding: String.Encoding = .utf8) { self.encoding = encoding }

  /// The text that the bytes spell.
  ///
  /// - Throws: ``CacheError`` with the code `untransformable` if the bytes are no text.
  public func transform(_ input: Data) throws -> String {
    guard let text = String(data: input, encoding: encoding) else {
      throw CacheError(
        .untransformable, .notText(bytes: input.count, encoding: "\(encoding)"),
        level: "StringTransformer")
    }
    return text
  }

  /// The bytes that spell the text.
  ///
  /// - Throws: ``CacheError`` with the code `untransformable` if the encoding cannot spell the text.
  public func inverseTransform(_ output: String) throws -> Data {
    guard let data = output.data(using: encoding) else {
      throw CacheError(
        .untransformable, .notSpelt(encoding: "\(encoding)"), level: "StringTransformer")
    }
    return data
  }
}
