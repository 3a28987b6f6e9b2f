/// A source or level whose values are worked on after they were read; what is set is left alone.
///
/// Made by `postProcess` of a ``CacheSource``.
public typealias PostProcessed<Base: CacheSource, Transformer: OneWayTransformer> =
  ConditionallyPostProcessed<Base, KeyIgnoring<Base.Key, Transformer>>
where Transformer.Input == Base.Value, Transformer.Output == Base.Value

extension CacheSource {
  /// Works on each value after it was read. A failure is a ``CacheError`` with the code
  /// `untransformable`.
  ///
  /// - Parameter transformer: Gives what is read instead.
  public func postProcess<Transformer: OneWayTransformer>(
    _ transformer: Transformer
  ) -> PostProcessed<Self, Transformer>
  where Transformer.Input == Value, Transformer.Output == Value {
    conditionedPostProcess(KeyIgnoring(base: transformer))
  }

  /// Works on each value after it was read.
  ///
  /// - Parameter transform: Gives what is read instead.
  public func postProcess(
    _ transform: @escaping @Sendable (Value) async throws -> Value
  ) -> PostProcessed<Self, ClosureTransformer<Value, Value>> {
    postProcess(ClosureTransformer(transform))
  }
}
