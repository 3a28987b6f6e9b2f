/// A transformer that converts only what a condition accepts.
public struct GuardedTransformer<Base: OneWayTransformer>: OneWayTransformer {
  let base: Base
  let condition: @Sendable (Base.Input) async throws -> Bool

  public func transform(_ input: Base.Input) async throws -> Base.Output {
    guard try await condition(input) else { throw refusal(input) }
    return try await base.transform(input)
  }

  private func refusal(_ value: Any) -> CacheError {
    CacheError(.refused, level: String(describing: Base.self), key: value)
  }
}

extension GuardedTransformer: TwoWayTransformer where Base: TwoWayTransformer {
  /// Converts back; what comes out must be what the condition accepts.
  public func inverseTransform(_ output: Base.Output) async throws -> Base.Input {
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
