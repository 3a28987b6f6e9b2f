package import FileSupport
import Foundation
import Synchronization

/// Makes the Nth system call, or all from there on, go wrong in one way.
package final class FaultPlan: Sendable {
  package enum Kind: Hashable, Sendable, CustomStringConvertible {
    /// Nothing is done and this is answered.
    case error(Int32)
    /// Once, whatever the plan says.
    case interrupted
    /// Half of what was asked for is read or written.
    case short
    /// The call is made, and EIO answered.
    case doneButFailed
    /// Nothing is done, and success answered.
    case lie

    package static let all: [Kind] = [
      .error(EIO), .error(ENOSPC), .error(EACCES), .error(EDQUOT), .error(EPERM), .interrupted,
      .short, .doneButFailed, .lie,
    ]

    package var description: String {
      switch self {
      case .error(let code): String(cString: strerror(code))
      case .interrupted: "interrupted once"
      case .short: "half"
      case .doneButFailed: "done but reported failed"
      case .lie: "not done but reported done"
      }
    }
  }

  package let kind: Kind
  package let position: Int
  package let fromThereOn: Bool

  private struct State {
    var isArmed: Bool
    var count = 0
    var hit: [String] = []
  }
  private let state: Mutex<State>

  /// - Parameter isArmed: Whether calls are counted, and go wrong, from the beginning on.
  package init(_ kind: Kind, at position: Int, fromThereOn: Bool, isArmed: Bool = true) {
    self.kind = kind
    state = Mutex(State(isArmed: isArmed))
    self.position = position
    self.fromThereOn = fromThereOn && kind != .interrupted
  }

  /// Whether the run was long enough to reach the position.
  package var wasReached: Bool { state.withLock { $0.count >= position } }
  /// Whether calls are counted and go wrong.
  package var isArmed: Bool {
    get { state.withLock { $0.isArmed } }
    set { state.withLock { $0.isArmed = newValue } }
  }
  /// The calls that went wrong.
  package var hit: [String] { state.withLock { $0.hit } }

  private func isDue(_ name: String) -> Bool {
    state.withLock {
      guard $0.isArmed else { return false }
      $0.count += 1
      let due = fromThereOn ? $0.count >= position : $0.count == position
      if due { $0.hit.append(name) }
      return due
    }
  }

  /// Makes a call, or what the plan has in its place.
  ///
  /// - Parameter lie: What a lie answers; nil where nothing could be made up.
  package func run<Number: FixedWidthInteger & SignedInteger>(
    _ name: String, lie: Number? = 0, half: (() -> Number)? = nil,
    undo: (Number) -> Void = { _ in }, _ call: () -> Number
  ) -> Number {
    guard isDue(name) else { return call() }
    switch kind {
    case .error(let code): return -Number(code)
    case .interrupted: return -Number(EINTR)
    case .short: return half?() ?? call()
    case .doneButFailed:
      let result = call()
      if result >= 0 { undo(result) }
      return -Number(EIO)
    case .lie: return lie ?? call()
    }
  }

  /// - Parameter real: The calls that are made where nothing goes wrong.
  package func calls(on real: FileCalls) -> FileCalls {
    var calls = real
    calls.openAt = { [self] directory, path, flags, mode in
      run("open", lie: nil, undo: { _ = real.close($0) }) {
        real.openAt(directory, path, flags, mode)
      }
    }
    // The descriptor is gone after close whatever it says, so the failures are after the fact.
    calls.close = { [self] descriptor in
      let result = real.close(descriptor)
      return run("close") { result }
    }
    calls.status = { [self] descriptor, status in
      run("fstat", lie: nil) { real.status(descriptor, &status) }
    }
    calls.statusAt = { [self] directory, path, flags, status in
      run("fstatat", lie: nil) { real.statusAt(directory, path, flags, &status) }
    }
    calls.accessAt = { [self] directory, path, mode, flags in
      run("faccessat") { real.accessAt(directory, path, mode, flags) }
    }
    calls.readLinkAt = { [self] directory, path, target in
      run("readlinkat", lie: nil) { real.readLinkAt(directory, path, &target) }
    }
    calls.read = { [self] descriptor, buffer, count in
      run("read", lie: nil, half: { real.read(descriptor, buffer, max(1, count / 2)) }) {
        real.read(descriptor, buffer, count)
      }
    }
    calls.write = { [self] descriptor, buffer, count in
      run("write", lie: count, half: { real.write(descriptor, buffer, max(1, count / 2)) }) {
        real.write(descriptor, buffer, count)
      }
    }
    calls.synchronize = { [self] descriptor in run("fsync") { real.synchronize(descriptor) } }
    calls.setMode = { [self] descriptor, mode in run("fchmod") { real.setMode(descriptor, mode) } }
    calls.setModeAt = { [self] directory, path, mode in
      run("fchmodat") { real.setModeAt(directory, path, mode) }
    }
    calls.setOwner = { [self] descriptor, owner, group in
      run("fchown") { real.setOwner(descriptor, owner, group) }
    }
    calls.lock = { [self] descriptor in run("flock") { real.lock(descriptor) } }
    calls.makeDirectoryAt = { [self] directory, path, mode in
      run("mkdirat") { real.makeDirectoryAt(directory, path, mode) }
    }
    calls.renameAt = { [self] directory, from, to in
      run("renameat") { real.renameAt(directory, from, to) }
    }
    calls.linkAt = { [self] directory, from, to in
      run("linkat") { real.linkAt(directory, from, to) }
    }
    calls.unlinkAt = { [self] directory, path, flags in
      run("unlinkat") { real.unlinkAt(directory, path, flags) }
    }
    return calls
  }
}
