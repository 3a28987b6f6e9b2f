/// A system call that failed: which step of the work, on which path, and what the system answered.
package struct FileError: Error, Equatable, Sendable {
  package enum Step: String, Sendable, CaseIterable {
    case findHome, resolvePath, checkName, makeDirectory, openDirectory, openLock, lock
    case openFile, examineFile, checkWritable, readFile
    case removeLeftover, createTemporary, setOwner, setMode, write, sync, close
    case replace, syncDirectory, moveAside
  }

  package let step: Step
  package let path: String
  /// The `errno` of the call.
  package let code: Int32
  /// What was found at the path when it is not a regular file: "a directory", "a FIFO", …
  package let found: String?

  package init(_ step: Step, path: String, code: Int32, found: String? = nil) {
    self.step = step
    self.path = path
    self.code = code
    self.found = found
  }
}
