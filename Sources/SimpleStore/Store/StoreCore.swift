/// What all stores on one place share: the document as it was last seen, and the lock that a save
/// holds from reading to writing.
///
/// `@unchecked Sendable`: everything below `lock` is touched only by the thread that holds it. So
/// `@exclusivity(unchecked)` is right: no two accesses are ever made at once, and a save makes many.
final class StoreCore: @unchecked Sendable {
  let lock = RecursiveLock()
  /// What is to be told to others once no lock is held, in the order in which it happened.
  private let notices = NoticeQueue()
  /// Whose notices the edit under way has to deliver: its own, and those of cores that were edited
  /// inside it.
  @exclusivity(unchecked) private var untold: [NoticeQueue] = []
  private let holder: CoreHolder

  /// What is stored, as last seen: with every key, also those that no item knows.
  @exclusivity(unchecked) private(set) var document = StoreDocument()
  /// How often `document` was replaced.
  private(set) var revision = 0
  /// What stores have imported and nobody has saved yet. Only they show it; the next save stores it,
  /// whoever makes it. No key of it is in `document`, except for the names of migrations.
  @exclusivity(unchecked) private var imports = StoreDocument()
  /// Whether `document` was there when it was last looked for.
  private(set) var isPresent = false { didSet { if isPresent { hasBeenPresent = true } } }
  /// Whether anything was ever there, as far as the stores of now know.
  private(set) var hasBeenPresent = false
  private var members: [WeakMember] = []
  /// What the other stores are to show when the one that has just saved does.
  @exclusivity(unchecked) private var waiting: [StoreSwitch] = []
  var hasSwitches: Bool { !waiting.isEmpty }
  /// How many edits of the thread that holds the lock are under way, one inside the other.
  private var depth = 0
  /// How the place was found by the edit that opened it; nil while none has.
  private var condition: Condition?

  /// What looking at the place gave.
  enum Finding {
    case absent
    case document
    case unusable(StoreError)
  }

  /// Whether an edit may save, as far as the place is concerned.
  private enum Condition {
    case usable
    /// What is there has to be moved aside first.
    case damaged(StoreError)
    /// What is there could not be read.
    case unreadable(StoreError)
    /// The lock was not to be had.
    case notLocked(StoreError)
  }

  // MARK: Edits

  init() {
    holder = CoreHolder(lock)
    holder.add(self)
  }

  deinit { holder.remove() }

  /// Starts an edit: takes the lock, which the same thread may do again inside.
  func begin() {
    lock.lock()
    depth += 1
  }

  /// Ends an edit and, when it was the outermost, tells others what it did.
  func end() {
    depth -= 1
    guard depth == 0 else { return lock.unlock() }
    let queues = takeUntold()
    lock.unlock()
    if let queues { Self.deliver(queues) }
  }

  /// Nil when there is nothing to tell.
  private func takeUntold() -> [NoticeQueue]? {
    if untold.isEmpty { return nil }
    defer { untold = [] }
    return untold
  }

  /// Does what an edit does only to have told what it did; for the benchmarks.
  func tellNothing() {
    if let queues = takeUntold() { Self.deliver(queues) }
  }

  /// Has something told when this edit has ended, and every edit of another core that it is in.
  func tell(_ notice: @escaping NoticeQueue.Notice) {
    notices.add(notice)
    leaveToTell(notices)
  }

  private func leaveToTell(_ queue: NoticeQueue) {
    if !untold.contains(where: { $0 === queue }) { untold.append(queue) }
  }

  /// Tells what waits, outside all locks: inside an edit of another core, that one does when it
  /// ends.
  private static func deliver(_ queues: [NoticeQueue]) {
    if let outer = CoreHolder.lockedByThisThread {
      for queue in queues { outer.leaveToTell(queue) }
    } else {
      for queue in queues { queue.deliver() }
    }
  }

  /// Where damaged content was moved by the last save that did so.
  private(set) var movedAside: String?

  /// Whether the edit that opened the place found damaged content there.
  var isDamaged: Bool {
    if case .damaged = condition { true } else { false }
  }

  /// Whether anything is known to be stored, or to have been.
  var hasDocument: Bool { isPresent || !document.isEmpty }

  /// Whether what was stored is gone.
  var hasLostItsDocument: Bool { !isPresent && !document.isEmpty }

  /// Looks once more before a save, within the edit that opened the place: the lock does not hold
  /// up a program that does not ask for it.
  func lookAgain(at backend: some StoreBackend) throws(StoreError) {
    guard case .usable = condition else { return }
    switch refresh(from: backend) {
    case .absent, .document: break
    case .unusable(let error) where error.code == .damaged: condition = .damaged(error)
    case .unusable(let error): throw error
    }
  }

  /// Whether an edit has opened the place.
  var isOpen: Bool { condition != nil }

  /// Opens the place for an edit and those inside it: takes the backend's lock and looks again at
  /// what is stored. What goes wrong is for a save to say; an edit that changes nothing needs
  /// neither.
  func open(_ backend: some StoreBackend) {
    do {
      try backend.lock()
    } catch {
      condition = .notLocked(error)
      return
    }
    condition =
      switch refresh(from: backend) {
      case .absent, .document: .usable
      case .unusable(let error): error.code == .damaged ? .damaged(error) : .unreadable(error)
      }
  }

  func close(_ backend: some StoreBackend) {
    if case .notLocked = condition {} else { backend.unlock() }
    condition = nil
  }

  /// Runs `body` with the locks of an edit, also inside one, and looks at what it has done.
  func withLocked(
    _ backend: some StoreBackend, _ body: () throws(StoreError) -> Void
  ) throws(StoreError) {
    begin()
    defer { end() }
    let opens = !isOpen
    if opens { open(backend) }
    defer { if opens { close(backend) } }
    if case .notLocked(let error) = condition { throw error }
    try body()
    // What is wrong with it by now is found again by whoever opens it.
    _ = refresh(from: backend)
  }

  // MARK: Reading

  /// Looks at what is stored now, and passes on to every store what others have changed.
  ///
  /// What is known stays known when the place is empty or unusable: a file that was deleted while
  /// the program runs is written again by the next save.
  func refresh(from backend: some StoreBackend) -> Finding {
    do {
      guard let current = try backend.load() else {
        isPresent = false
        return .absent
      }
      take(current)
      return .document
    } catch {
      return .unusable(error)
    }
  }

  /// Takes over a document that was just loaded.
  func take(_ current: StoreDocument) {
    isPresent = true
    adopt(current, writtenBy: nil)
  }

  /// Forgets what was known, after a look that found nothing.
  func forget() {
    let waiting = imports
    imports = StoreDocument()
    adopt(StoreDocument(), writtenBy: nil)
    imports = waiting
  }

  // MARK: Importing

  /// Whether imported values wait to be stored.
  var hasImports: Bool { !imports.isEmpty }

  /// What is stored, and what the next save adds to it.
  var documentToSave: StoreDocument {
    var result = document
    if !imports.isEmpty { for (key, value) in imports { result[key] = value } }
    return result
  }

  /// Adds to what the next save stores, under keys that nothing is known of.
  ///
  /// - Parameters:
  ///   - migrations: The names of those that all of it has had.
  ///   - outdated: Keys whose values were imported earlier and do not count any more.
  func addImports(_ new: StoreDocument, migrations: StoreValue?, outdated: [String]) {
    for key in outdated { imports[key] = nil }
    for (key, value) in new where document.position(of: key) == nil {
      if imports.position(of: key) == nil { imports[key] = value }
    }
    if let migrations { imports[DocumentUpgrade.reservedKey] = migrations }
  }

  // MARK: Migrating

  /// The names of the migrations that are running, one inside the other.
  private var runningMigrations: [String] = []

  /// Runs a step. What it opens on this place meanwhile is told that, and saves nothing: a step that
  /// came back to itself would never end, and a save would be overwritten by the one that is under
  /// way.
  func run(_ migration: StoreMigration, on document: inout StoreDocument) throws(StoreError) {
    guard !runningMigrations.contains(migration.name) else {
      throw StoreError(.migrationFailed, .migrationInside(name: migration.name))
    }
    runningMigrations.append(migration.name)
    defer { runningMigrations.removeLast() }
    try migration.apply(to: &document)
  }

  // MARK: Writing

  /// Stores a document, unless it is what is stored.
  ///
  /// Damaged content whose place it took is in ``movedAside``, also when the save failed after that.
  ///
  /// - Throws: Why nothing was stored.
  func write(
    _ new: StoreDocument, to backend: some StoreBackend, by member: any StoreMember,
    onDamage: DamagePolicy
  ) throws(StoreError) {
    if let name = runningMigrations.last { throw StoreError(.unwritable, .savedInside(name: name)) }
    switch condition {
    case .unreadable(let error), .notLocked(let error): throw error
    case .damaged(let error):
      guard onDamage == .moveAside else { throw error }
      var place: String?
      defer {
        if let place {
          movedAside = place
          condition = .usable
          isPresent = false
        }
      }
      try backend.replaceDamaged(with: new, movedTo: &place)
      condition = .usable
    case .usable, nil:
      guard new != document || !isPresent else { return }
      try backend.save(new)
    }
    isPresent = true
    replaceDocument(with: new, writtenBy: member)
  }

  /// Makes a document the known one, and tells every store but the one that wrote it, which is
  /// shown together with that one: see ``switchTogether(_:)``.
  private func adopt(_ new: StoreDocument, writtenBy writer: (any StoreMember)?) {
    if new != document || hasImports { replaceDocument(with: new, writtenBy: writer) }
  }

  private func replaceDocument(
    with new: StoreDocument, writtenBy writer: (any StoreMember)?
  ) {
    revision += 1
    // Most places have one store, and nothing that was imported.
    if let writer, imports.isEmpty, members.count == 1, members[0].id == ObjectIdentifier(writer) {
      document = new
      return
    }
    let old = document
    let imported = imports
    document = new
    imports = StoreDocument()
    // A store that wrote what another one had imported has not seen it yet.
    if let writer, !imported.isEmpty, !writer.hasImported {
      let news = imported.keys.filter { new[$0] == imported[$0] && old[$0] != imported[$0] }
      if !news.isEmpty { writer.prepare(news, from: new, isOutside: false)?.show {} }
    }
    if let writer, members.count == 1, members[0].id == ObjectIdentifier(writer) { return }
    let others = members.compactMap(\.member).filter { $0 !== writer }
    guard !others.isEmpty else { return }
    // What was imported and is not stored now was shown by those who had imported it.
    let keys = old.keysThatDiffer(from: new) + imported.keys.filter { new.position(of: $0) == nil }
    guard !keys.isEmpty else { return }
    let switches = others.compactMap { $0.prepare(keys, from: new, isOutside: writer == nil) }
    if writer == nil { StoreSwitch.showAll(switches) {} } else { waiting += switches }
  }

  /// Shows to everybody what a save has written, with what `body` shows to the store that saved.
  func switchTogether(_ body: () -> Void) {
    let switches = waiting
    waiting = []
    StoreSwitch.showAll(switches, and: body)
  }

  // MARK: Members

  func join(_ member: any StoreMember) {
    // Those that are gone go here too: a program may open a file again and again that never changes.
    // One whose last reference this is ends after the list is changed, not meanwhile: it may save.
    let alive = members.compactMap(\.member)
    members = (alive + [member]).map { WeakMember($0) }
    withExtendedLifetime(alive) {}
  }
}

extension StoreDocument {
  /// The keys that one of the two lacks or that have different values.
  func keysThatDiffer(from other: StoreDocument) -> [String] {
    var keys: [String] = []
    for (position, entry) in other.entries.enumerated() {
      // Most documents differ in a value, not in their order: look at the same place first.
      if position < entries.count, entries[position].key.hasSameBytes(as: entry.key) {
        if entries[position].value != entry.value { keys.append(entry.key) }
      } else if self[entry.key] != entry.value {
        keys.append(entry.key)
      }
    }
    for entry in entries where other.position(of: entry.key) == nil { keys.append(entry.key) }
    return keys
  }
}
