import Foundation

/// What has the keys of something else, passes on to it that they were used, and knows a cached value
/// from a fresh one if that does.
protocol UsePassing: UseNoting, KnowingFresh {
  associatedtype Base: CacheSource where Base.Key == Key
  var base: Base { get }
}

extension UsePassing {
  var useNoter: UseNoter<Key>? { SimpleCache.useNoter(of: base) }
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
  var useNoter: UseNoter<Key>? { SimpleCache.useNoter(of: base) }
}

extension AnyLevel: UseNoting {
  var useNoter: UseNoter<Key>? { SimpleCache.useNoter(of: base) }
}

extension KeyTransformed: UseNoting {
  var useNoter: UseNoter<Key>? {
    guard let noter = SimpleCache.useNoter(of: base) else { return nil }
    return UseNoter(noteNow: nil) { [transformer] keys in
      var converted: [Base.Key] = []
      for key in keys {
        // What cannot be converted is not behind; whoever asks for it is told why.
        if let key = try? await transformer.transform(key) { converted.append(key) }
      }
      await noter.note(converted)
    }
  }
}

/// A hit in front keeps the response behind from being the first to go.
extension NetworkFetcher: UseNoting {
  var useNoter: UseNoter<URL>? {
    guard let responses else { return nil }
    return SimpleCache.useNoter(of: responses)
  }
}

/// A list that was used is the use of each of its keys.
extension BatchSource: UseNoting {
  var useNoter: UseNoter<Key>? {
    SimpleCache.useNoter(of: base)?.of { lists in lists.flatMap(\.self) }
  }
}

extension SwitchedSource: UseNoting {
  var useNoter: UseNoter<Key>? {
    let toFirst = SimpleCache.useNoter(of: first)?
      .of { [choice] (keys: [Key]) in keys.filter { choice($0) == .first } }
    let toSecond = SimpleCache.useNoter(of: second)?
      .of { [choice] (keys: [Key]) in keys.filter { choice($0) == .second } }
    return toFirst?.and(toSecond) ?? toSecond
  }
}
