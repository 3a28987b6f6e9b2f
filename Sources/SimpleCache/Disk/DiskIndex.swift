import FileSupport

/// What is in the folder, in the order of use.
struct DiskIndex: Sendable {
  struct Slot: Sendable {
    var name: EntryName
    var key: [UInt8]
    /// The length of the value.
    var size: Int
    var times: DiskTimes
    /// When it was last used, and what its file says about that.
    var lastUse: Int64
    var stamp: Int64
    var inode: UInt64
    /// When it was last wanted: by a use, or by one in a level above, from which its life does not count.
    fileprivate(set) var lastWish: Int64
    fileprivate var older = -1
    fileprivate var newer = -1

    /// - Parameter stamp: What the file says about its last use.
    init(
      name: EntryName, key: [UInt8], size: Int, times: DiskTimes, lastUse: Int64, stamp: Int64,
      inode: UInt64
    ) {
      self.name = name
      self.key = key
      self.size = size
      self.times = times
      self.lastUse = lastUse
      self.stamp = stamp
      self.inode = inode
      lastWish = lastUse
    }

    var deadline: Int64 { times.deadline(lastUse: lastUse) }

    /// Whether this is the file that the index knows, unused by others. Files are never changed in
    /// place, but an inode that was given back may come with another one.
    func isStill(_ status: FileStatus) -> Bool {
      isSameFile(status) && status.lastUse == stamp
    }

    /// Whether this is the file that the index knows, or another one that takes as much.
    func isSameFile(_ status: FileStatus) -> Bool {
      // One that this level wrote has not been looked at yet.
      (inode == 0 || inode == status.version.inode)
        && status.version.size == Int64(DiskEntryHeader.length + key.count + size)
    }
  }

  private var places: [EntryName: Int] = [:]
  private var slots: [Slot] = []
  private var free: [Int] = []
  private var oldest = -1
  private var newest = -1
  private(set) var size = 0
  /// No entry expires before this.
  private(set) var earliest = Int64.max
  private var insertsSinceSweep = 0
  /// Whether there may be an entry that expires at all.
  var expires: Bool { earliest != .max }

  /// Whether to look for entries that have expired before one that has not must go: always when there
  /// are few, else once in as many inserts as there are entries, so that an insert costs a constant on
  /// average.
  func isSweepDue(at now: Int64) -> Bool {
    earliest <= now && (count <= 64 || insertsSinceSweep >= count)
  }

  init() {}

  /// An index of these entries, in the order in which they were last wanted.
  init(_ entries: [Slot]) {
    places.reserveCapacity(entries.count)
    slots.reserveCapacity(entries.count)
    for entry in entries.sorted(by: { $0.lastWish < $1.lastWish }) { insert(entry) }
  }

  /// Lets the times at which entries were wanted say what their order says: nothing was wanted after
  /// what comes behind it, nor in the future. They differ where somebody has set the clock back.
  mutating func settle(at now: Int64) {
    var bound = Self.bound(at: now)
    var place = newest
    while place >= 0 {
      slots[place].lastWish = min(slots[place].lastWish, bound)
      // So that those of one time keep their order as well.
      bound = max(slots[place].lastWish, .min + 1) - 1
      place = slots[place].older
    }
  }

  /// What a look at the folder found, with what is known of it. The index is settled.
  ///
  /// What is from the future and not known was used before the clock was set back: it is older than
  /// anything else.
  func combined(_ found: Slot, at now: Int64) -> Slot {
    var slot = found
    let isAhead = slot.lastWish > Self.bound(at: now)
    if let known = self[slot.name], known.times == slot.times {
      // It may have been used meanwhile, here or by another process.
      slot.lastUse = max(slot.lastUse, known.lastUse)
      let isUsed = slot.stamp > known.stamp && !isAhead
      slot.lastWish = isUsed ? max(slot.lastWish, known.lastWish) : known.lastWish
    } else if isAhead {
      slot.lastWish = slot.lastWish < 0 ? .min : slot.lastWish - .max
    }
    return slot
  }

  /// Stamps may be ahead of the clock by what keeps them apart.
  private static func bound(at now: Int64) -> Int64 {
    let (bound, overflow) = now.addingReportingOverflow(1_000_000_000)
    return overflow ? .max : bound
  }

  var count: Int { places.count }

  subscript(name: EntryName) -> Slot? { places[name].map { slots[$0] } }

  /// The entries, the least recently used first.
  var entries: [Slot] {
    var entries: [Slot] = []
    entries.reserveCapacity(count)
    var place = oldest
    while place >= 0 {
      entries.append(slots[place])
      place = slots[place].newer
    }
    return entries
  }

  /// The least recently used entry.
  var leastRecent: Slot? { oldest < 0 ? nil : slots[oldest] }

  /// The least recently used entry but for one name and a few others.
  func leastRecent(except name: EntryName, _ others: [EntryName] = []) -> Slot? {
    var place = oldest
    while place >= 0, slots[place].name == name || others.contains(slots[place].name) {
      place = slots[place].newer
    }
    return place < 0 ? nil : slots[place]
  }

  /// Puts an entry in as the most recently used one, in place of the one that has its name.
  mutating func insert(_ entry: consuming Slot) {
    let place: Int
    if let old = places[entry.name] {
      place = old
      unlink(old)
      size -= slots[old].size
    } else {
      place = free.popLast() ?? slots.count
      places[entry.name] = place
    }
    size += entry.size
    insertsSinceSweep += 1
    if entry.times.sliding > 0 || entry.times.expiry != .max {
      note(deadline: entry.deadline)
    }
    if place == slots.count { slots.append(entry) } else { slots[place] = entry }
    append(place)
  }

  mutating func remove(_ name: EntryName) {
    guard let place = places.removeValue(forKey: name) else { return }
    unlink(place)
    size -= slots[place].size
    slots[place].key = []
    free.append(place)
    if places.isEmpty { self = DiskIndex() }
  }

  /// Notes a use.
  ///
  /// - Returns: What its file still says about the last use; `nil` if there is no entry of that name
  ///   with these times and this size.
  mutating func use(_ name: EntryName, _ times: DiskTimes, size: Int, at now: Int64) -> Int64? {
    guard let place = places[name], slots[place].times == times, slots[place].size == size else {
      return nil
    }
    slots[place].lastUse = now
    slots[place].lastWish = now
    moveToNewest(place)
    return slots[place].stamp
  }

  /// Lets an entry be the last to go, without a note that it was used.
  mutating func wish(_ name: EntryName, at now: Int64) {
    guard let place = places[name] else { return }
    slots[place].lastWish = now
    moveToNewest(place)
  }

  private mutating func moveToNewest(_ place: Int) {
    guard place != newest else { return }
    unlink(place)
    append(place)
  }

  mutating func setStamp(_ name: EntryName, _ stamp: Int64) {
    if let place = places[name] { slots[place].stamp = stamp }
  }

  /// Also of one that lives for as long as can be counted: it is over if it is from the future.
  private mutating func note(deadline: Int64) { earliest = min(earliest, deadline, .max - 1) }

  /// Notes that an entry that is over could not be removed: it is found again.
  mutating func keepExpired(_ entry: Slot) { note(deadline: entry.deadline) }

  /// Entries that are over.
  mutating func expired(at now: Int64) -> [Slot] {
    insertsSinceSweep = 0
    guard expires else { return [] }
    var found: [Slot] = []
    earliest = .max
    var place = oldest
    while place >= 0 {
      let times = slots[place].times
      if times.expiry != .max || times.sliding > 0 {
        if times.isExpired(at: now, lastUse: slots[place].lastUse) {
          found.append(slots[place])
        } else {
          note(deadline: slots[place].deadline)
        }
      }
      place = slots[place].newer
    }
    return found
  }

  private mutating func append(_ place: Int) {
    slots[place].older = newest
    slots[place].newer = -1
    if newest >= 0 { slots[newest].newer = place }
    newest = place
    if oldest < 0 { oldest = place }
  }

  private mutating func unlink(_ place: Int) {
    let (older, newer) = (slots[place].older, slots[place].newer)
    if older >= 0 { slots[older].newer = newer } else { oldest = newer }
    if newer >= 0 { slots[newer].older = older } else { newest = older }
  }
}
