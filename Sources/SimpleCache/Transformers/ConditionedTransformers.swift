/// Turns a value into another in a way that depends on the key it was read for.
public protocol ConditionedOneWayTransformer<Key, Input, Output>: Sendable {
  /// What values are asked for by.
  associatedtype Key: Sendable
  /// What is converted.
  associatedtype Input: Sendable
  /// What it is converted to.
  associatedtype Output: Sendable

  /// Converts a value that was read.
  ///
  /// - Parameters:
  ///   - input: What is to be converted.
  ///   - key: The key it was read for.
  /// - Returns: What it is converted to.
  /// - Throws: When it cannot be converted.
  func transform(_ input: Input, for key: Key) async throws -> Output
}

/// Turns a value into another and back in a way that depends on its key.
public protocol ConditionedTwoWayTransformer<Key, Input, Output>: ConditionedOneWayTransformer {
  /// Converts a value that is set back into what is kept.
  ///
  /// Law: as that of ``TwoWayTransformer``, for each key.
  ///
  /// - Parameters:
  ///   - output: What is to be converted back.
  ///   - key: The key it is set for.
  /// - Returns: What it came from.
  /// - Throws: When it cannot be converted.
  func inverseTransform(_ output: Output, for key: Key) async throws -> Input
}

/// A conversion by a closure that is given the key.
public struct ConditionedTransformer<Key: Sendable, Input: Sendable, Output: Sendable>:
  ConditionedOneWayTransformer
{
  private let body: @Sendable (Input, Key) async throws -> Output

  /// A conversion that is given the key.
  ///
  /// - Parameter transform: Converts the value for a key.
  public init(_ transform: @escaping @Sendable (Input, Key) async throws -> Output) {
    body = transform
  }

  public func transform(_ input: Input, for key: Key) async throws -> Output {
    try await body(input, key)
  }
}

/// A conversion and its inverse by closures that are given the key.
public struct TwoWayConditionedTransformer<Key: Sendable, Input: Sendable, Output: Sendable>:
  ConditionedTwoWayTransformer
{
  private let forward: @Sendable (Input, Key) async throws -> Output
  private let backward: @Sendable (Output, Key) async throws -> Input

  /// A conversion and its inverse that are given the key.
  ///
  /// - Parameters:
  ///   - transform: Converts a value that was read.
  ///   - inverseTransform: Converts a value that is set.
  public init(
    transform: @escaping @Sendable (Input, Key) async throws -> Output,
    inverseTransform: @escaping @Sendable (Output, Key) async throws -> Input
  ) {
    forward = transform
    backward = inverseTransform
  }

  public func transform(_ input: Input, for key: Key) async throws -> Output {
    try await forward(input, key)
  }

  public func inverseTransform(_ output: Output, for key: Key) async throws -> Input {
    try await backward(output, key)
  }
}
