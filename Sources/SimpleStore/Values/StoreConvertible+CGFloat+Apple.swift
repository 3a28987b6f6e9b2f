// On Linux `CGFloat` is a type of Foundation, which the core does not load.
#if canImport(CoreGraphics)
  public import CoreGraphics

  extension CGFloat: StoreConvertible {
    /// As a double.
    public var storeValue: StoreValue { .double(Double(self)) }

    /// What `Double` accepts.
    public init?(storeValue: StoreValue) {
      guard let value = Double(storeValue: storeValue) else { return nil }
      self.init(value)
    }
  }
#endif
