/// A conversion by a closure.
///
/// ```swift
/// let length = ClosureTransformer { (text: String) in text.count }
/// ```
public struct ClosureTransformer<Input: Sendable, Output: Sendable>: OneWayTransformer {
  private let body: @Sendable (Input) async throws -> Output

  /// A conversion.
  ///
  /// - Parameter transform: Converts a value.
  public init(_ transform: @escaping @Sendable (Input) async throws -> Output) {
    body = transform
  }

  public func transform(_ input: Input) async throws -> Output { try await body(input) }
}

/// A conversion and its inverse by two closures.
public struct TwoWayClosureTransformer<Input: Sendable, Output: Sendable>: TwoWayTransformer {
  private let forward: @Sendable (Input) async throws -> Output
  private let backward: @Sendable (Output) async throws -> Input

  /// A conversion and its inverse.
  ///
  /// - Parameters:
  ///   - transform: Converts a value.
  ///   - inverseTransform: Converts it back.
  public init(
    transform: @escaping @Sendable (Input) async throws -> Output,
    inverseTransform: @escaping @Sendable (Output) async throws -> Input
  ) {
    forward = transform
    backward = inverseTransform
  }

  public func transform(_ input: Input) async throws -> Output { try await forward(input) }
  public func inverseTransform(_ output: Output) async throws -> Input {
    try await backward(output)
  }
}
