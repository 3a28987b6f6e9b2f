/// How short memory is.
public enum MemoryPressure: Hashable, Sendable {
  /// Programs begin to wait for memory. Give back what can be had again.
  case warning
  /// Hardly anything goes on. Give back everything that can be spared.
  case critical
}

extension MemoryPressure {
  /// Tells a sequence that keeps one signal: of those that nobody has heard yet the worst.
  func tell(to continuation: AsyncStream<MemoryPressure>.Continuation) {
    let result = continuation.yield(self)
    if self == .warning, case .dropped(.critical) = result { continuation.yield(.critical) }
  }
}

extension MemoryLevel {
  /// Makes room whenever memory is short: half the entries at a warning, all of them when it is
  /// critical.
  ///
  /// ```swift
  /// let trimming = pictures.trim(on: try MemoryPressure.events())
  /// ```
  ///
  /// The level is not kept alive by this.
  ///
  /// - Parameter signals: Says when memory is short.
  /// - Returns: The task that listens; cancel it to stop.
  @discardableResult
  public func trim<Signals: AsyncSequence & Sendable>(on signals: Signals) -> Task<Void, Never>
  where Signals.Element == MemoryPressure {
    trim(on: signals) { $0 == .critical ? 0 : 0.5 }
  }

  /// Makes room at each signal of any kind.
  ///
  /// - Parameters:
  ///   - signals: Any sequence, such as notifications. When it ends or fails, so does the trimming.
  ///   - share: The share of the entries that stays, from 0 to 1, for a signal.
  /// - Returns: The task that listens; cancel it to stop.
  @discardableResult
  public func trim<Signals: AsyncSequence & Sendable>(
    on signals: Signals, keeping share: @escaping @Sendable (Signals.Element) -> Double
  ) -> Task<Void, Never> {
    Task { [weak self] in
      do {
        for try await signal in signals {
          guard let self else { return }
          self.trim(keeping: share(signal))
        }
      } catch {
        // The sequence is over. Trimming is a help, not a promise; the limits still hold.
      }
    }
  }
}
