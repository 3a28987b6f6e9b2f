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
          let pressure: MemoryPressure = source.data.contains(.critical) ? .critical : .warning
          pressure.tell(to: continuation)
        }
        continuation.onTermination = { _ in source.cancel() }
        source.activate()
      }
    }
  }
#endif
