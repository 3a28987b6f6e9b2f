import CacheTestSupport
import Foundation
import SimpleCache
import TestSupport
import Testing

/// Keys and files: every key is kept, and only an intact file of its key is a value.
@Suite struct DiskKeyTests: DiskSuite {
  let folder = TemporaryFolder()
  let time = ManualTime()

  @Test func `every text is a key, and nothing outside the folder is touched`() async throws {
    let keys = [
      "", "../x", "../../evil", "/etc/x", "a\0b", "a", "A", ".", "..", "A.1", "A.2",
      String(repeating: "k", count: 4_000) + "1", String(repeating: "k", count: 4_000) + "2",
    ]
    for key in keys { try await level().set("value of \(key)", forKey: key) }
    for key in keys { #expect(level()[key] == "value of \(key)") }
    #expect(try folder.allNames == ["cache"])
    let digits = Set("0123456789abcdef")
    for name in try files { #expect(name.count == 32 && Set(name).isSubset(of: digits)) }
    #expect(try files.count == keys.count)
    #expect(Set(try await level().keys) == Set(keys))
    #expect(try files.contains(level().url(forKey: "../x")?.lastPathComponent ?? ""))
  }

  @Test func `texts that are equal are one key, however they are spelt`() async throws {
    try await level().set("1", forKey: "caf\u{e9}")
    try await level().set("2", forKey: "cafe\u{301}")
    #expect(level()["caf\u{e9}"] == "2")
    #expect(try await level().count == 1)
  }

  @Test func `keys are found again by other processes`() {
    // The names are part of the format: FNV-1a 128 of the key's bytes.
    let texts = DiskLevel<String, Data>(directory: folder.url)
    #expect(
      texts.url(forKey: "")?.lastPathComponent == "6c62272e07bb014262b821756295c58d")
    #expect(
      texts.url(forKey: "a")?.lastPathComponent == "d228cb696f1a8caf78912b704e4a8964")
    let numbers = DiskLevel<Int, Data>(directory: folder.url)
    #expect(
      numbers.url(forKey: 1)?.lastPathComponent == "59b7938aec659956a33c86dd8aca840c")
    enum Colour: String, StableKey { case red }
    let colours = DiskLevel<Colour, Data>(directory: folder.url)
    #expect(
      colours.url(forKey: .red)?.lastPathComponent == "a68db906488b5822836dbc799b6b6e6c")
  }

  @Test func `keys of each kind come back as they were`() {
    #expect(Int(stableBytes: (-5).stableBytes) == -5)
    #expect(URL(stableBytes: URL(filePath: "/a b").stableBytes) == URL(filePath: "/a b"))
    let id = UUID()
    #expect(UUID(stableBytes: id.stableBytes) == id)
    #expect("".stableBytes(of: ["ab", "c"]) != "".stableBytes(of: ["a", "bc"]))
    #expect(String.parts(of: "".stableBytes(of: ["ab", "", "c"])) == ["ab", "", "c"])
    #expect(String.parts(of: [255, 255, 255, 255, 255, 255, 255, 255, 1]) == nil)
    #expect(Int(stableBytes: [1]) == nil && UUID(stableBytes: []) == nil)
  }

  @Test func `a file that is damaged in any byte, or cut anywhere, is a miss and is removed`()
    async throws
  {
    try await level().set("value", forKey: "key")
    let file = try #require(level().url(forKey: "key"))
    let whole = try file.bytes
    var broken = whole.indices.map { place in
      var bytes = whole
      bytes[place] ^= 0x10
      return bytes
    }
    broken += whole.indices.map { Array(whole[..<$0]) }
    broken += [whole + [0], Array("foreign".utf8), Array(repeating: 0xff, count: 10_000)]
    for bytes in broken {
      try Data(bytes).write(to: file)
      #expect(try await level().get("key") == nil)
      #expect(try files == [])
    }
    try Data(whole).write(to: file)
    #expect(level()["key"] == "value")
  }

  @Test func `a file under the name of another key is a miss`() async throws {
    try await level().set("value", forKey: "key")
    let file = try #require(level().url(forKey: "key"))
    let other = try #require(level().url(forKey: "other"))
    try FileManager.default.copyItem(at: file, to: other)
    #expect(try await level().get("other") == nil)
    #expect(try await level().keys == ["key"])
  }

  @Test func `links are not followed, and other files stay`() async throws {
    let outside = folder.file("outside")
    try outside.write("precious")
    try await level().set("value", forKey: "key")
    let file = try #require(level().url(forKey: "key"))
    let other = try #require(level().url(forKey: "other"))
    try FileManager.default.removeItem(at: file)
    for link in [file, other] {
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: outside)
    }
    try folder.file("cache/README").write("mine")
    #expect(try await level().get("key") == nil)
    #expect(try await level().count == 0)
    #expect(try files == ["README"])
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: outside)
    try await level().set("new", forKey: "key")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
    #expect(try await level().get("other") == nil)
    try await level().remove("key")
    #expect(try outside.text == "precious")
    try FileManager.default.removeItem(at: other)
    try await level().removeAll()
    #expect(try files == ["README"])
  }
}
