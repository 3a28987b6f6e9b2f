/// A source or level of another kind of value.
///
/// A value that cannot be converted is a ``CacheError`` with the code `untransformable`, on `get` and
/// on `set`; such a `set` changes nothing. Made by ``CacheSource/transformValues(_:)``.
public typealias ValueTransformed<Base: CacheSource, Transformer: OneWayTransformer> =
  ConditionallyTransformed<Base, KeyIgnoring<Base.Key, Transformer>>
where Transformer.Input == Base.Value

extension CacheSource {
  /// Gives another kind of value. A level stays a level if the transformer works both ways.
  ///
  /// ```swift
  /// let texts = NetworkFetcher().transformValues(StringTransformer())
  /// ```
  ///
  /// - Parameter transformer: From this source's values to the new ones.
  public func transformValues<Transformer: OneWayTransformer>(
    _ transformer: Transformer
  ) -> ValueTransformed<Self, Transformer> where Transformer.Input == Value {
    conditionedValueTransformation(KeyIgnoring(base: transformer))
  }
}
