import FileSupport
import Foundation
import Synchronization

/// Records what a save does to the disk, as far as a power cut could undo it.
final class CrashRecorder: Sendable {
  enum Operation: Sendable {
    case makeDirectory(String)
    case create(String, file: Int)
    case write(file: Int, [UInt8])
    case synchronize(file: Int)
    case synchronizeDirectory(String)
    case rename(String, String)
    case link(String, String)
    case remove(String)
  }

  private struct State {
    var operations: [Operation] = []
    /// The path of each open descriptor, and the number of the file if it was created here.
    var open: [Int32: (path: String, file: Int?)] = [:]
    var files = 0

    func path(_ directory: Int32, _ path: String) -> String {
      if path.hasPrefix("/") || directory == AT_FDCWD { return path }
      return (open[directory]?.path ?? "") + "/" + path
    }
  }
  private let state = Mutex(State())

  var operations: [Operation] { state.withLock { $0.operations } }

  var calls: FileCalls {
    let real = FileCalls.system
    var calls = real
    calls.openAt = { [self] directory, path, flags, mode in
      let result = real.openAt(directory, path, flags, mode)
      if result >= 0 {
        state.withLock { state in
          let path = state.path(directory, path)
          var file: Int?
          if flags & O_CREAT != 0 {
            state.files += 1
            file = state.files
            state.operations.append(.create(path, file: state.files))
          }
          state.open[result] = (path, file)
        }
      }
      return result
    }
    calls.write = { [self] descriptor, buffer, count in
      let result = real.write(descriptor, buffer, count)
      state.withLock { state in
        if result > 0, let file = state.open[descriptor]?.file {
          // Unsafe, and right: the system has just read that many bytes from there.
          let bytes = Array(UnsafeRawBufferPointer(start: buffer, count: result))
          state.operations.append(.write(file: file, bytes))
        }
      }
      return result
    }
    calls.synchronize = { [self] descriptor in
      state.withLock { state in
        guard let open = state.open[descriptor] else { return }
        state.operations.append(
          open.file.map { .synchronize(file: $0) } ?? .synchronizeDirectory(open.path))
      }
      return real.synchronize(descriptor)
    }
    calls.makeDirectoryAt = { [self] directory, path, mode in
      let result = real.makeDirectoryAt(directory, path, mode)
      if result >= 0 { add { .makeDirectory($0.path(directory, path)) } }
      return result
    }
    calls.renameAt = { [self] directory, from, to in
      let result = real.renameAt(directory, from, to)
      if result >= 0 { add { .rename($0.path(directory, from), $0.path(directory, to)) } }
      return result
    }
    calls.linkAt = { [self] directory, from, to in
      let result = real.linkAt(directory, from, to)
      if result >= 0 { add { .link($0.path(directory, from), $0.path(directory, to)) } }
      return result
    }
    calls.unlinkAt = { [self] directory, path, flags in
      let result = real.unlinkAt(directory, path, flags)
      if result >= 0 { add { .remove($0.path(directory, path)) } }
      return result
    }
    return calls
  }

  private func add(_ operation: (State) -> Operation) {
    state.withLock { $0.operations.append(operation($0)) }
  }
}
