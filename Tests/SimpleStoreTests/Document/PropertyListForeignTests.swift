import Foundation
import SimpleStore
import Testing

/// Files as other programs make them.
@Suite("Property lists that other tools made are read, and keep what they say")
struct PropertyListForeignTests {
  @Test
  func `the Info.plist of an app`() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple Computer//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>CFBundleDevelopmentRegion</key>
      \t<string>$(DEVELOPMENT_LANGUAGE)</string>
      \t<key>CFBundleVersion</key>
      \t<string>1</string>
      \t<!-- Phones & tablets: <both> -->
      \t<key>UIDeviceFamily</key>
      \t<array>
      \t\t<integer>1</integer>
      \t\t<integer>2</integer>
      \t</array>
      \t<key>NSAppTransportSecurity</key>
      \t<dict>
      \t\t<key>NSAllowsArbitraryLoads</key>
      \t\t<false/>
      \t</dict>
      \t<key>NSHumanReadableCopyright</key>
      \t<string>Copyright © 2014 A &amp; B. All rights reserved.</string>
      \t<key>UILaunchScreen</key>
      \t<dict/>
      </dict>
      </plist>
      """
    let document = try XMLPropertyListFormat().decode(Array(text.utf8))
    #expect(
      document == [
        "CFBundleDevelopmentRegion": .string("$(DEVELOPMENT_LANGUAGE)"),
        "CFBundleVersion": .string("1"),
        "UIDeviceFamily": .array([.integer(1), .integer(2)]),
        "NSAppTransportSecurity": .dictionary(["NSAllowsArbitraryLoads": .bool(false)]),
        "NSHumanReadableCopyright": .string("Copyright © 2014 A & B. All rights reserved."),
        "UILaunchScreen": .dictionary([:]),
      ])
  }

  @Test
  func `preferences as 'defaults export' writes them`() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>NSWindow Frame main</key>
      \t<string>196 240 1048 615 0 0 1440 877 </string>
      \t<key>lastOpened</key>
      \t<date>2014-09-09T17:03:55Z</date>
      \t<key>bookmark</key>
      \t<data>
      \tYm9va0QDAAAAAAQQMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
      \tAAAAAAAA
      \t</data>
      \t<key>opacity</key>
      \t<real>0.69999999999999996</real>
      \t<key>scale</key>
      \t<real>2</real>
      \t<key>launches</key>
      \t<integer>42</integer>
      \t<key>recent</key>
      \t<array/>
      </dict>
      </plist>

      """
    let document = try XMLPropertyListFormat().decode(Array(text.utf8))
    #expect(document["NSWindow Frame main"] == .string("196 240 1048 615 0 0 1440 877 "))
    #expect(document["lastOpened"] == .date(Date(timeIntervalSinceReferenceDate: 431_975_035)))
    guard case .data(let bookmark)? = document["bookmark"] else {
      Issue.record("no data")
      return
    }
    #expect(bookmark.count == 57 && bookmark.starts(with: Data("bookD".utf8)))
    #expect(document["opacity"] == .double(0.7))
    #expect(document["scale"] == .double(2))
    #expect(document["launches"] == .integer(42))
    #expect(document["recent"] == .array([]))
  }

  /// A root dictionary with the key "a".
  private func decode(_ objects: [UInt8]...) throws -> StoreValue? {
    let file = BinarySample.bytes(objects: [[0xD1, 1, 2], [0x51, 0x61]] + objects)
    let document = try BinaryPropertyListFormat().decode(file)
    // And it stays what it is when it is written.
    let written = try BinaryPropertyListFormat().encode(document)
    #expect(try BinaryPropertyListFormat().decode(written) == document)
    return document["a"]
  }

  @Test
  func `binary objects of every kind and width are read`() throws {
    #expect(try decode([0x00]) == .null)
    #expect(try decode([0x08]) == .bool(false))
    #expect(try decode([0x10, 0xFF]) == .integer(255))
    #expect(try decode([0x11, 0xFF, 0xFF]) == .integer(65_535))
    #expect(try decode([0x12, 0xFF, 0xFF, 0xFF, 0xFF]) == .integer(4_294_967_295))
    #expect(try decode([0x13] + [UInt8](repeating: 0xFF, count: 8)) == .integer(-1))
    #expect(try decode([0x14] + [UInt8](repeating: 0xFF, count: 16)) == .integer(-1))
    let high: [UInt8] = [0, 0, 0, 0, 0, 0, 0]
    #expect(
      try decode([0x14] + high + [0] + [0x80] + high)
        == .unsigned(9_223_372_036_854_775_808))
    #expect(try decode([0x14] + high + [1] + [0] + high) == .number("18446744073709551616"))
    #expect(
      try decode([0x14, 0x80] + high + [0] + high)
        == .number("-170141183460469231731687303715884105728"))
    #expect(try decode([0x22, 0x3F, 0xC0, 0, 0]) == .double(1.5))
    #expect(try decode([0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0]) == .double(1.5))
    #expect(
      try decode([0x33, 0xBF, 0xF8, 0, 0, 0, 0, 0, 0])
        == .date(Date(timeIntervalSinceReferenceDate: -1.5)))
    #expect(try decode([0x4F, 0x10, 1, 7]) == .data(Data([7])))
    #expect(try decode([0x5F, 0x13, 0, 0, 0, 0, 0, 0, 0, 1, 0x62]) == .string("b"))
    #expect(try decode([0x60]) == .string(""))
    #expect(try decode([0x61, 0xFE, 0xFF]) == .string("\u{feff}"))
    #expect(try decode([0x80, 7]) == .dictionary(["CF$UID": .integer(7)]))
    #expect(try decode([0x82, 1, 0, 0]) == .dictionary(["CF$UID": .integer(65_536)]))
    #expect(
      try decode([0x87] + [UInt8](repeating: 0xFF, count: 8))
        == .dictionary(["CF$UID": .unsigned(.max)]))
    #expect(try decode([0xC2, 1, 3], [0x09]) == .array([.string("a"), .bool(true)]))
    #expect(try decode([0xD1, 1, 3], [0x09]) == .dictionary(["a": .bool(true)]))
  }

  @Test
  func `the outermost object may be any, and references of any size`() throws {
    for size in 1...8 {
      let references = [0, 1].flatMap { BinarySample.number($0, size: size) }
      let bytes = BinarySample.bytes(
        objects: [[0x51, 0x61], [0x09], [0xD1] + references], offsetSize: size,
        referenceSize: size, outermost: 2)
      #expect(try BinaryPropertyListFormat().decode(bytes) == ["a": .bool(true)])
    }
  }
}
