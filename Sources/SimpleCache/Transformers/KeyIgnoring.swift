/// A transformer where one is asked for that knows the key.
public struct KeyIgnoring<Key: Sendable, Base: OneWayTransformer>: ConditionedOneWayTransformer {
  let base: Base

  public func transform(_ input: Base.Input, for key: Key) async throws -> Base.Output {
    try await base.transform(input)
  }
}

extension KeyIgnoring: ConditionedTwoWayTransformer where Base: TwoWayTransformer {
  public func inverseTransform(_ output: Base.Output, for key: Key) async throws -> Base.Input {
    try await base.inverseTransform(output)
  }
}
