/// When an entry of a table expires, in nanoseconds of the monotonic clock.
@usableFromInline
struct EntryTimes: Sendable {
  /// The first moment at which it is expired.
  @usableFromInline var deadline: Int64
  /// How far a read moves the deadline; 0 if reads do not move it.
  @usableFromInline var slide: Int64
  /// What a read never moves it beyond: the deadline of the level it came from.
  @usableFromInline var bound: Int64

  @inlinable static var never: EntryTimes { EntryTimes(deadline: .max, slide: 0, bound: .max) }

  @inlinable
  init(deadline: Int64, slide: Int64, bound: Int64) {
    self.deadline = deadline
    self.slide = slide
    self.bound = bound
  }

  @inlinable var isNever: Bool { deadline == .max && slide == 0 }

  /// The earlier of what an expiry gives from now on and a deadline that the entry brings along.
  @usableFromInline
  init(_ expiry: CacheExpiry, bound: CacheInstant?, clock: CacheClock) {
    let limit = bound?.nanoseconds ?? .max
    self.init(
      deadline: min(expiry.deadline(by: clock)?.nanoseconds ?? .max, limit), slide: 0, bound: limit)
    if case .sliding(let time) = expiry { slide = time.saturatedNanoseconds }
  }

  /// Moves a sliding deadline on.
  @inlinable
  mutating func use(at now: Int64) {
    guard slide > 0 else { return }
    let (moved, overflow) = now.addingReportingOverflow(slide)
    deadline = Swift.min(overflow ? .max : moved, bound)
  }
}
