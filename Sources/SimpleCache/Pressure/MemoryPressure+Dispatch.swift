#if canImport(Darwin)
  import Dispatch

  extension MemoryPressure {
    /// The system's own notices.
    ///
    /// - Throws: Nothing on this platform.
    public static func events() throws -> AsyncStream<MemoryPressure> {
      AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
        let source = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical])
        source.setEventHandler {
          continuation.yield(source.data.contains(.critical) ? .critical : .warning)
        }
        continuation.onTermination = { _ in source.cancel() }
        source.activate()
      }
    }
  }
#endif
