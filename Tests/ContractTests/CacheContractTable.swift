/// What the cache promises, the faults of others that it must not have, and the tests that show it.
extension ContractTable {
  static let cacheRows: [Row] = [
    Row(
      "Any key is a file name of fixed length; the key itself is checked.",
      "every text is a key, and nothing outside the folder is touched",
      "texts that are equal are one key, however they are spelt",
      "keys are found again by other processes",
      "a file under the name of another key is a miss"),
    Row(
      "A damaged, cut off, foreign or half-written entry is a miss, and removed; never an error.",
      "a file that is damaged in any byte, or cut anywhere, is a miss and is removed",
      "a damaged entry is a miss for which the next level is asked, and is replaced",
      "a damaged document is a miss, and the first change moves it aside",
      "whatever fails, no value is wrong and the limits hold"),
    Row(
      "Limits hold after every insert and after a restart; the least recently used goes first.",
      "the count limit holds after every insert, and no more is evicted than must be",
      "the cost limit holds after every insert", "limits and counts hold under many threads",
      "limits hold after every set, and after a restart",
      "the least recently used goes first, and only as many as must",
      "a hit in memory counts on disk, now and after a restart",
      "a hit in front counts through whatever is between",
      "a hit in front counts through keys that are converted and lists of keys"),
    Row(
      "Expiry: injected clocks, set back or not; a promoted entry keeps the earlier one.",
      "an entry is a miss from its deadline on",
      "the wall clock set back or forth does not touch what is in memory",
      "an entry that expires and is from the future has expired",
      "a time of zero or less is over at once, and a huge one never overflows",
      "a promoted entry keeps the earlier expiry",
      "what has expired is a miss, in no list, and its file goes",
      "expired entries are in no count, cost or key list"),
    Row(
      "Killed in a sweep: a consistent folder; nothing outside is touched, no link followed.",
      "killed processes leave no wrong value, and the limits hold after every start",
      "what ended writers left behind goes, what others write stays",
      "links are not followed, and other files stay"),
    Row(
      "A write-back that fails does not fail the read; an explicit set throws.",
      "a failing write-back does not fail the read, and is told",
      "an explicit set that fails throws, whichever level it was",
      "after a set that failed there is the old value or none",
      "a list of which one value cannot be set is the old one or none",
      "a subscript that cannot keep a value does not leave the one before it"),
    Row(
      "Pooled: one fetch a key; errors not kept; one's cancellation is one's own.",
      "fifty callers for one missing key start one fetch and one write",
      "a refresh joins a get that has reached the source", "a get that misses joins a refresh",
      "a get beside a refresh is answered from the cache, the refresh never",
      "an error is shared by those who wait, and not kept",
      "a waiter's cancellation is his alone, and at once",
      "when all have gone the fetch is cancelled, and the next caller starts a fresh one",
      "ten thousand immediate cancellations all end cancelled, and leave no fetch"),
    Row(
      "A fetch that began before a write of its key does not store its old result.",
      "a fetch that began before a write does not store its old result",
      "a fetch that began during a write does not store what it found before",
      "a fetch that began before a write is not joined after it",
      "an older fetch does not replace a newer fresh value, in memory or on disk"),
  ]

  /// By the faults' numbers in the collection of known faults of other caches.
  static let cacheFaults: [Row] = [
    Row("I103", "every text is a key, and nothing outside the folder is touched"),
    Row("I105", "every text is a key, and nothing outside the folder is touched"),
    Row(
      "I107", "every text is a key, and nothing outside the folder is touched",
      "keys of each kind come back as they were"),
    Row("I109", "keys are found again by other processes"),
    Row(
      "I110", "a file that is damaged in any byte, or cut anywhere, is a miss and is removed",
      "a damaged entry is a miss for which the next level is asked, and is replaced"),
    Row("I112", "a folder that is deleted is made again, with nothing in it"),
    Row(
      "I114", "making a level touches no disk, and a miss or a hit needs no list of the folder",
      "a miss and a hit do not wait for who looks through the folder"),
    Row("I115", "calls with await never run on the caller's actor"),
    Row("I116", "the least recently used goes first, and only as many as must"),
    Row("I119", "setting a key again counts once", "overwriting a key counts it once"),
    Row(
      "I122", "a limit of zero keeps nothing, and nil everything",
      "a limit of 0 keeps nothing, and what is too large is not kept",
      "a negative limit is refused with a sentence"),
    Row("I123", "one more than the limit costs one entry, however often"),
    Row("I124", "one more than the limit costs one entry, however often"),
    Row("I126", "the least recently used goes when the count limit is reached"),
    Row("I127", "costs are given back on replacement, removal and removeAll"),
    Row(
      "I129", "an entry is a miss from its deadline on",
      "what has expired is a miss, in no list, and its file goes"),
    Row("I130", "the expiry goes through three levels and every wrapper"),
    Row(
      "I133", "a time that is over at once is a miss, and removes what was there",
      "a time of zero or less is over at once, and a huge one never overflows"),
    Row(
      "I136", "removeExpired beside a hundred readers and writers ends",
      "removing what has expired does not get in the way of a hundred others"),
    Row("I137", "fifty callers for one missing key start one fetch and one write"),
    Row("I138", "an error is shared by those who wait, and not kept"),
    Row("I139", "a waiter's cancellation is his alone, and at once"),
    Row("I142", "a fetch that ignores time is given up, and the next get starts a new one"),
    Row("I145", "cancelling while the fetch succeeds ends each call exactly once"),
    Row(
      "I146", "a thousand concurrent gets end on a small pool",
      "a thousand reads at once end on a small pool"),
    Row("I147", "a hit behind fills the front, and the back is not asked again"),
    Row("I148", "set and remove reach every level"),
    Row(
      "I150", "a value that cannot be converted back fails the set and changes nothing",
      "a value that cannot be converted is a typed error, and is asked for once"),
    Row("I151", "some gives what there is with its key, all gives everything or throws"),
    Row("I153", "an empty batch asks for nothing and is no error"),
  ]
}
