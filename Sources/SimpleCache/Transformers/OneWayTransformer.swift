/// Turns one kind of value into another.
public protocol OneWayTransformer<Input, Output>: Sendable {
  /// What is converted.
  associatedtype Input: Sendable
  /// What it is converted to.
  associatedtype Output: Sendable

  /// Converts a value.
  ///
  /// - Parameter input: What is to be converted.
  /// - Returns: What it is converted to.
  /// - Throws: When it cannot be converted.
  func transform(_ input: Input) async throws -> Output
}

/// Turns one kind of value into another and back.
///
/// Law: what `transform` gives, `inverseTransform` turns into something that `transform` gives again.
public protocol TwoWayTransformer<Input, Output>: OneWayTransformer {
  /// Converts a value back.
  ///
  /// - Parameter output: What is to be converted back.
  /// - Returns: What it came from.
  /// - Throws: When it cannot be converted.
  func inverseTransform(_ output: Output) async throws -> Input
}
