public import Foundation

/// Text from bytes and back.
public struct StringTransformer: TwoWayTransformer {
  private let encoding: String.Encoding

  /// - Parameter encoding: How the bytes spell the text.
  public init(encoding: String.Encoding = .utf8) { self.encoding = encoding }

  /// - Throws: ``CacheError`` with the code `untransformable` if the bytes are no text.
  public func transform(_ input: Data) throws -> String {
    guard let text = String(data: input, encoding: encoding) else {
      throw CacheError(
        .untransformable, level: "StringTransformer",
        message: "The \(input.count) bytes are not text in the encoding \(encoding).")
    }
    return text
  }

  /// - Throws: ``CacheError`` with the code `untransformable` if the encoding cannot spell the text.
  public func inverseTransform(_ output: String) throws -> Data {
    guard let data = output.data(using: encoding) else {
      throw CacheError(
        .untransformable, level: "StringTransformer",
        message: "The text cannot be spelt in the encoding \(encoding).")
    }
    return data
  }
}
