/// A transformer with its two directions exchanged.
public struct InvertedTransformer<Base: TwoWayTransformer>: TwoWayTransformer {
  let base: Base

  public func transform(_ input: Base.Output) async throws -> Base.Input {
    try await base.inverseTransform(input)
  }

  public func inverseTransform(_ output: Base.Input) async throws -> Base.Output {
    try await base.transform(output)
  }
}

extension TwoWayTransformer {
  /// The same transformer the other way round.
  public func invert() -> InvertedTransformer<Self> { InvertedTransformer(base: self) }
}
