/// A transformer that converts only what a condition accepts.
public struct GuardedTransformer<Base: OneWayTransformer>: OneWayTransformer {
  let base: Base
  let condition: @Sendable (Base.Input) async throws -> Bool
  /// Of what is converted back; without one, what comes out is tried by the other condition.
  var inverseCondition: (@Sendable (Base.Output) async throws -> Bool)?

  public func transform(_ input: Base.Input) async throws -> Base.Output {
    guard try await condition(input) else { throw refusal(input) }
    return try await base.transform(input)
  }

  private func refusal(_ value: Any) -> CacheError {
    CacheError(.refused, level: String(describing: Base.self), key: value)
  }
}

extension GuardedTransformer: TwoWayTransformer where Base: TwoWayTransformer {
  /// Converts back what the inverse condition accepts; without one, what comes out must be what the
  /// condition accepts.
  public func inverseTransform(_ output: Base.Output) async throws -> Base.Input {
    if let inverseCondition {
      guard try await inverseCondition(output) else { throw refusal(output) }
      return try await base.inverseTransform(output)
    }
    let input = try await base.inverseTransform(output)
    guard try await condition(input) else { throw refusal(input) }
    return input
  }
}

extension OneWayTransformer {
  /// Converts only what a condition accepts; anything else is a ``CacheError`` with the code
  /// `refused`.
  ///
  /// - Parameter condition: Whether a value is to be converted.
  public func conditioned(
    _ condition: @escaping @Sendable (Input) async throws -> Bool
  ) -> GuardedTransformer<Self> {
    GuardedTransformer(base: self, condition: condition)
  }
}

extension TwoWayTransformer {
  /// Converts only what a condition accepts, in each direction by one of its own.
  ///
  /// - Parameters:
  ///   - condition: Whether a value is to be converted.
  ///   - inverseCondition: Whether a value is to be converted back.
  public func conditioned(
    _ condition: @escaping @Sendable (Input) async throws -> Bool,
    inverseCondition: @escaping @Sendable (Output) async throws -> Bool
  ) -> GuardedTransformer<Self> {
    GuardedTransformer(base: self, condition: condition, inverseCondition: inverseCondition)
  }
}
