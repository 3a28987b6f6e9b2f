import FileSupport
import Foundation
import Testing

/// What a user without privileges may do. Root passes every check of the system, so these run in a
/// process that has given root up; started by an ordinary user, only those that need no second user
/// mean anything, hence the condition.
@Suite(.enabled(if: isRoot, "needs root, to become two other users"))
struct PermissionTests {
  /// A directory that belongs to user 65534 and is not looked into by others.
  private func makeHome(_ sandbox: Sandbox, mode: mode_t = 0o700) throws {
    try sandbox.makeDirectory("home")
    try #require(chown(sandbox("home"), 65534, 65534) == 0 && chmod(sandbox("home"), mode) == 0)
  }

  @Test func `under any umask a new file is 0600, a new directory 0700, an old mode is kept`()
    async throws
  {
    let sandbox = try Sandbox()
    try makeHome(sandbox)
    await #expect(processExitsWith: .success) { [path = sandbox("home") as String] in
      try becomeNobody()
      for mask in [0, 0o022, 0o077, 0o277, 0o777] as [mode_t] {
        umask(mask)
        let directory = path + "/\(mask)"
        try save(text, to: directory + "/deeper/a")
        try save(newText, to: directory + "/deeper/a")
        #expect(try mode(directory) == 0o700 && mode(directory + "/deeper") == 0o700)
        #expect(try mode(directory + "/deeper/a") == 0o600)
        #expect(try mode(directory + "/deeper/.a.lock") == 0o600)
        try #require(chmod(directory + "/deeper/a", 0o664) == 0)
        try save(newText, to: directory + "/deeper/a")
        #expect(try mode(directory + "/deeper/a") == 0o664)
      }
    }
  }

  @Test func `a directory without write permission is an error, and the file can still be read`()
    async throws
  {
    let sandbox = try Sandbox()
    try makeHome(sandbox, mode: 0o555)
    try sandbox.write("home/a", text, mode: 0o666)
    await #expect(processExitsWith: .success) { [path = sandbox("home") as String] in
      try becomeNobody()
      let error = failure { () throws(FileError) in try save(newText, to: path + "/a") }
      #expect(error?.step == .openLock && error?.code == EACCES)
      let made = failure { () throws(FileError) in try save(newText, to: path + "/x/b") }
      #expect(made?.step == .makeDirectory && made?.code == EACCES)
      #expect(try ManagedFile(path: path + "/a").read(limit: 99)?.bytes == text)
    }
    #expect(sandbox.listing("home") == ["a"])
  }

  @Test func `an unreadable file is an error, never absence`() async throws {
    let sandbox = try Sandbox()
    try makeHome(sandbox)
    try sandbox.write("home/a", text, mode: 0o600)
    await #expect(processExitsWith: .success) { [path = sandbox("home/a") as String] in
      try becomeNobody()
      let file = ManagedFile(path: path)
      #expect(failure { () throws(FileError) in _ = try file.read(limit: 99) }?.code == EACCES)
      // Nobody's directory, so a rename would be allowed; the file itself is not ours to write.
      #expect(failure { () throws(FileError) in _ = try file.beginSave() }?.code == EACCES)
    }
    #expect(sandbox.bytes("home/a") == text)
    #expect(sandbox.listing("home") == ["a"])
  }

  @Test func `an own file without write permission is refused`() async throws {
    let sandbox = try Sandbox()
    try makeHome(sandbox)
    try sandbox.write("home/a", text, mode: 0o444)
    try #require(chown(sandbox("home/a"), 65534, 65534) == 0)
    await #expect(processExitsWith: .success) { [path = sandbox("home/a") as String] in
      try becomeNobody()
      #expect(failure { () throws(FileError) in try save(newText, to: path) }?.code == EACCES)
    }
    #expect(sandbox.bytes("home/a") == text)
    #expect(try sandbox.mode("home/a") == 0o444)
  }

  @Test(
    arguments: [
      [0o666, 0o666], [0o646, 0o644], [0o662, 0o622], [0o606, 0o600], [0o777, 0o777],
      [0o667, 0o666],
    ] as [[UInt32]])
  func `a file that cannot keep its owner and group gives neither group more than both had`(
    _ modes: [UInt32]
  ) async throws {
    let (old, new) = (modes[0], modes[1])
    let sandbox = try Sandbox()
    try makeHome(sandbox)
    try sandbox.write("home/a", text, mode: old)
    try #require(chown(sandbox("home/a"), 1234, 4321) == 0)
    await #expect(processExitsWith: .success) { [path = sandbox("home/a") as String] in
      try becomeNobody()
      try save(newText, to: path)
    }
    #expect(sandbox.bytes("home/a") == newText)
    #expect(try sandbox.mode("home/a") == new)
    #expect(try sandbox.status("home/a").st_uid == 65534)
  }

  @Test func `a file of another owner in a group that we are in keeps the group`() async throws {
    let sandbox = try Sandbox()
    try makeHome(sandbox)
    try sandbox.write("home/a", text, mode: 0o660)
    try #require(chown(sandbox("home/a"), 1234, 4321) == 0)
    await #expect(processExitsWith: .success) { [path = sandbox("home/a") as String] in
      try becomeNobody(groups: [4321])
      try save(newText, to: path)
    }
    #expect(sandbox.bytes("home/a") == newText)
    #expect(try sandbox.mode("home/a") == 0o660)
    #expect(try sandbox.status("home/a").st_gid == 4321)
  }

  #if !canImport(Darwin)
    @Test func `a user without a home is told so, where none is set`() async throws {
      await #expect(processExitsWith: .success) {
        // Nobody's number: the user database does not know it.
        try #require(setgid(54_321) == 0 && setuid(54_321) == 0)
        let settings = failure { () throws(FileError) in
          _ = try ApplicationDirectories.settings(application: "app", environment: [:])
        }
        let caches = failure { () throws(FileError) in
          _ = try ApplicationDirectories.caches(application: "app", environment: [:])
        }
        #expect(settings?.step == .findHome && settings?.code == ENOENT)
        #expect(caches?.step == .findHome && caches?.code == ENOENT)
      }
    }
  #endif

  @Test func `after root has saved a user's file, the user can save again`() async throws {
    let sandbox = try Sandbox()
    try makeHome(sandbox)
    try sandbox.write("home/a", text, mode: 0o600)
    try #require(chown(sandbox("home/a"), 65534, 65534) == 0)
    try save([1], to: sandbox("home/a"))
    #expect(try sandbox.status("home/a").st_uid == 65534)
    await #expect(processExitsWith: .success) { [path = sandbox("home/a") as String] in
      try becomeNobody()
      try save(newText, to: path)
    }
    #expect(sandbox.bytes("home/a") == newText)
  }
}

private func becomeNobody(groups: [gid_t] = []) throws {
  guard setgroups(groups.count, groups) == 0, setgid(65534) == 0, setuid(65534) == 0 else {
    throw SystemError("becoming user 65534")
  }
  try #require(setuid(0) != 0)
}

private func mode(_ path: String) throws -> UInt32 {
  var status = stat()
  guard lstat(path, &status) == 0 else { throw SystemError(path) }
  return UInt32(status.st_mode) & 0o7777
}
