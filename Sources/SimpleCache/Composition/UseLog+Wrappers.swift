/// What has the keys of something else, and passes on to it that they were used.
protocol UsePassing: UseNoting {
  associatedtype Base: CacheSource where Base.Key == Key
  var base: Base { get }
}

extension UsePassing {
  var noteUses: (@Sendable ([Key]) -> Void)? { useNoter(of: base) }
}

extension ConditionallyTransformed: UsePassing {}
extension ConditionallyPostProcessed: UsePassing {}
extension ConditionedSource: UsePassing {}
extension PooledSource: UsePassing {}
extension CappedSource: UsePassing {}
extension TimedSource: UsePassing {}
extension RetriedSource: UsePassing {}
extension ObservedSource: UsePassing {}

extension AnySource: UseNoting {
  var noteUses: (@Sendable ([Key]) -> Void)? { useNoter(of: base) }
}

extension AnyLevel: UseNoting {
  var noteUses: (@Sendable ([Key]) -> Void)? { useNoter(of: base) }
}

extension SwitchedSource: UseNoting {
  var noteUses: (@Sendable ([Key]) -> Void)? {
    let toFirst = useNoter(of: first)
    let toSecond = useNoter(of: second)
    if toFirst == nil, toSecond == nil { return nil }
    return { [choice] keys in
      toFirst?(keys.filter { choice($0) == .first })
      toSecond?(keys.filter { choice($0) == .second })
    }
  }
}
