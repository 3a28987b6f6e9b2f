import FileSupport
import Foundation
import SimpleStore
import TestSupport
import Testing

/// System call 1, 2, 3 … of a save goes wrong, in every way, once and from there on.
///
/// Known faults: I19, I29 (memory and disk diverge), I36 (old file gone), I82.
@Suite struct FaultLoopTests {
  enum Target: String, CaseIterable {
    case firstSave = "first save"
    case newDirectories = "first save, new directories"
    case replacing = "replacing"
    case throughLink = "through a symbolic link"
    case afterAnother = "after another process's save"
    case damaged = "damaged, moved aside"
    case migrating = "migrating what an earlier version wrote"
  }

  /// A file in the state that the target says.
  struct Scene {
    let folder = TemporaryFolder()
    let kind: BackendKind
    let target: Target
    /// The path that the store is given.
    let opened: URL
    /// The file behind it.
    let file: URL
    private(set) var old: StoreDocument?
    /// What was there before another program saved; a process may be killed before that.
    private(set) var older: StoreDocument?
    static let rubbish = Array("<not a document".utf8)

    init(_ target: Target, _ kind: BackendKind) throws {
      self.kind = kind
      self.target = target
      let name = "settings." + kind.suffix
      let directory = target == .newDirectories ? "one/two/" : ""
      file = folder.file(directory + name)
      opened = target == .throughLink ? folder.file("link." + kind.suffix) : file
      switch target {
      case .firstSave, .newDirectories: break
      case .damaged: try Data(Self.rubbish).write(to: file)
      case .replacing, .throughLink, .afterAnother:
        old = Settings.document(name: "old", count: 1)
        try kind.put(Settings.document(name: "old", count: 1), into: file)
        file.setMode(0o640)
      case .migrating:
        old = MigratingSettings.old
        try kind.put(MigratingSettings.old, into: file)
        file.setMode(0o640)
      }
      if target == .throughLink {
        try FileManager.default.createSymbolicLink(
          atPath: opened.systemPath, withDestinationPath: name)
      }
    }

    /// Another program saves.
    mutating func saveByOthers() throws {
      guard target == .afterAnother else { return }
      older = old
      old = Settings.document(name: "old", count: 1, note: "theirs")
      try kind.put(Settings.document(name: "old", count: 1, note: "theirs"), into: file)
      file.setMode(0o640)
    }

    /// What the file holds when `name` was saved.
    func expected(_ name: String) -> StoreDocument {
      if target == .migrating { return MigratingSettings.migrated(name: name) }
      var document = old ?? Settings.document(name: "")
      document["name"] = .string(name)
      return document
    }

    /// Damaged files that were moved aside.
    var aside: [URL] {
      folder.tree.filter { $0.contains(".damaged-") }.map { folder.file($0) }
    }

    /// What is not as promised after a save of "new" that threw or returned.
    ///
    /// - Parameters:
    ///   - isSaved: Whether the save said so; nil when the process was killed.
    ///   - saysInPlace: Whether the error says that the new content is in place.
    ///   - mayBeNew: Whether it may have happened although another error was reported: the system
    ///     reported a failure for what it had done.
    func problems(
      isSaved: Bool?, saysInPlace: Bool, mayBeNew: Bool, mayLeaveTemporary: Bool
    ) -> [String] {
      var problems: [String] = []
      let found = bytes(of: file)
      let document = found.flatMap { try? kind.format.decode($0) }  // damage is nil, and told below
      if document == expected("new") {
        if isSaved == false, !mayBeNew, !saysInPlace {
          problems.append("an error for what was saved")
        }
      } else {
        if isSaved == true { problems.append("success for what was not saved") }
        if saysInPlace { problems.append("called in place what is not") }
        // A damaged file stays at its name until the new one takes it.
        let isOld =
          target == .damaged
          ? found == Self.rubbish
          : document == old || isSaved == nil && older != nil && document == older
        if !isOld || (found == nil) != (document == nil) && target != .damaged {
          problems.append("neither old nor new: \(String(decoding: found ?? [], as: UTF8.self))")
        }
      }
      if target == .damaged, found != Self.rubbish,
        !aside.contains(where: { bytes(of: $0) == Self.rubbish })
      {
        problems.append("the damaged bytes are gone")
      }
      if old != nil, (try? file.mode) != 0o640 { problems.append("another mode") }
      if let status = try? file.status, old == nil, target != .damaged, status.st_mode & 0o77 != 0 {
        problems.append("readable by others")
      }
      if opened != file, (try? opened.status.st_mode & S_IFMT) != S_IFLNK {
        problems.append("the link is gone")
      }
      let extra = strays(mayLeaveTemporary: mayLeaveTemporary)
      if !extra.isEmpty { problems.append("left behind: \(extra)") }
      return problems
    }

    /// Names that should not be there.
    func strays(mayLeaveTemporary: Bool) -> [String] {
      let directory = target == .newDirectories ? "one/two/" : ""
      let name = "settings." + kind.suffix
      var expected = ["one", "one/two", "\(directory).\(name).lock", "\(directory)\(name)"]
      expected.append("link." + kind.suffix)
      if mayLeaveTemporary { expected.append("\(directory).\(name).tmp") }
      return folder.tree.filter {
        !expected.contains($0) && !(target == .damaged && $0.contains(".damaged-"))
      }
    }
  }

  @Test func `whatever system call fails, the file is old or new and the error says which`()
    throws
  {
    var report = FaultReport()
    for kind in isExhaustive ? BackendKind.files : [.json] {
      for target in Target.allCases {
        for fault in FaultPlan.Kind.all {
          for fromThereOn in fault == .interrupted ? [false] : [false, true] {
            for position in 1...300 {
              let plan = FaultPlan(fault, at: position, fromThereOn: fromThereOn, isArmed: false)
              let problems =
                target == .migrating
                ? try run(target, kind, plan, MigratingSettings.self)
                : try run(target, kind, plan, Settings.self)
              if !plan.wasReached { break }
              try #require(position < 300)
              report.add(
                target: target.rawValue, fault: "\(fault)\(fromThereOn ? ", from there on" : "")",
                position: position, problems: problems)
            }
          }
        }
      }
    }
    print(report.text("System calls that fail during a save, inside the process"))
    #expect(report.broken.isEmpty, "\(report.broken.prefix(5))")
    #expect(report.runs > 1000)
  }

  private func run<Item: NamedItem>(
    _ target: Target, _ kind: BackendKind, _ plan: FaultPlan, _ type: Item.Type
  ) throws -> [String] {
    var scene = try Scene(target, kind)
    // Whether bytes reach the disk makes no difference to what is looked at here, and it is most of
    // the time.
    var real = FileCalls.system
    real.synchronize = { _ in 0 }
    let store = SimpleStore<Item>(
      FileBackend(
        path: scene.opened.systemPath, format: kind.fileFormat, durability: .durable,
        calls: plan.calls(on: real)))
    let before = store.name
    try scene.saveByOthers()
    plan.isArmed = true
    let error = failure { () throws(StoreError) in try store.set(\.name, to: "new") }
    plan.isArmed = false

    var problems = scene.problems(
      isSaved: error == nil, saysInPlace: error?.isAfterTheFact == true,
      mayBeNew: plan.kind == .doneButFailed,
      mayLeaveTemporary: plan.hit.contains("unlinkat"))
    if store.name != (error == nil ? "new" : before) { problems.append("memory: \(store.name)") }
    if (store.saveError == nil) != (error == nil) { problems.append("saveError") }
    if target == .damaged, bytes(of: scene.file) != Scene.rubbish,
      store.loadReport.damagedFile == nil
    {
      problems.append("nobody says where the damaged file is")
    }
    if !scene.folder.openDescriptors.isEmpty { problems.append("open descriptors") }

    // And the next save, with a system that works again, does.
    if let error = failure({ () throws(StoreError) in try store.set(\.name, to: "last") }) {
      problems.append("the next save: \(error)")
    }
    if try kind.document(in: scene.file) != scene.expected("last") {
      problems.append("the next save did not save")
    }
    if !scene.strays(mayLeaveTemporary: false).isEmpty { problems.append("left for good") }
    return problems
  }
}

extension StoreError {
  /// Whether what failed is only the certainty that a save in place survives a power cut.
  var isAfterTheFact: Bool {
    if case .system(let step, _, _) = detail { step == "syncDirectory" } else { false }
  }
}
