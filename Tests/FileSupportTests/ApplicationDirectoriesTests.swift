import FileSupport
import Foundation
import Testing

@Suite struct ApplicationDirectoriesTests {
  #if !canImport(Darwin)
    private func both(_ environment: [String: String]) throws -> [String] {
      [
        try ApplicationDirectories.settings(application: "app", environment: environment),
        try ApplicationDirectories.caches(application: "app", environment: environment),
      ]
    }

    @Test func `the XDG variables decide when they are absolute`() throws {
      #expect(
        try both(["XDG_CONFIG_HOME": "/c", "XDG_CACHE_HOME": "/k/", "HOME": "/h"]) == [
          "/c/app", "/k/app",
        ])
    }

    @Test(arguments: ["", "relative", "./c", "~/c"])
    func `an empty or relative variable is as if it were not set`(_ value: String) throws {
      #expect(
        try both(["XDG_CONFIG_HOME": value, "XDG_CACHE_HOME": value, "HOME": "/h"]) == [
          "/h/.config/app", "/h/.cache/app",
        ])
    }

    @Test(arguments: [nil, "", "relative"] as [String?])
    func `without a usable HOME the user database is asked`(_ home: String?) throws {
      let record = try #require(getpwuid(geteuid()))
      let expected = String(cString: record.pointee.pw_dir)
      var environment: [String: String] = [:]
      environment["HOME"] = home
      #expect(try both(environment) == [expected + "/.config/app", expected + "/.cache/app"])
    }

    @Test func `the application's name is the executable's`() throws {
      let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let name = (executable as NSString).lastPathComponent
      #expect(
        try ApplicationDirectories.settings(application: nil, environment: ["HOME": "/h"])
          == "/h/.config/" + name)
    }
  #endif

  @Test(arguments: ["", ".", "..", "a/b", "/", "a/", "../x", "a\0b", "a/\u{301}b", "\0"])
  func `a name that is not one file's is refused`(_ name: String) {
    #expect(
      failure { () throws(FileError) in try ApplicationDirectories.checkName(name) }?.code == EINVAL
    )
    #expect(
      failure { () throws(FileError) in
        _ = try ApplicationDirectories.settings(application: name, environment: ["HOME": "/h"])
      }?.code == EINVAL)
    #expect(
      failure { () throws(FileError) in
        _ = try ApplicationDirectories.caches(application: name, environment: ["HOME": "/h"])
      }?.code == EINVAL)
  }

  @Test func `other names are allowed up to 255 bytes`() throws {
    for name in ["a", "...", ".a", "a b", "👩‍👩‍👧", "a\nb", String(repeating: "x", count: 255)] {
      try ApplicationDirectories.checkName(name)
    }
    #expect(
      failure { () throws(FileError) in
        try ApplicationDirectories.checkName(String(repeating: "é", count: 128))
      }?.code == ENAMETOOLONG)
  }
}
