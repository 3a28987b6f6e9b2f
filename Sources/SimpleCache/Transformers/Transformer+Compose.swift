/// One transformer after another.
public struct ComposedTransformer<First: OneWayTransformer, Second: OneWayTransformer>:
  OneWayTransformer
where First.Output == Second.Input {
  let first: First
  let second: Second

  public func transform(_ input: First.Input) async throws -> Second.Output {
    try await second.transform(first.transform(input))
  }
}

extension ComposedTransformer: TwoWayTransformer
where First: TwoWayTransformer, Second: TwoWayTransformer {
  public func inverseTransform(_ output: Second.Output) async throws -> First.Input {
    try await first.inverseTransform(second.inverseTransform(output))
  }
}

extension OneWayTransformer {
  /// This transformer, and then another on what it gives. Works both ways if both do.
  public func compose<Next: OneWayTransformer>(
    _ next: Next
  ) -> ComposedTransformer<Self, Next> where Next.Input == Output {
    ComposedTransformer(first: self, second: next)
  }
}
