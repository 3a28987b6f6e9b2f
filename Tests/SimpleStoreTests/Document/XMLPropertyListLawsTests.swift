import Foundation
import SimpleStore
import TestSupport
import Testing

@Suite("XML property lists keep the laws of a document format")
struct XMLPropertyListLawsTests {
  private let laws = FormatLaws(XMLPropertyListFormat(), projection: XMLProjection.of)

  @Test
  func `extreme documents read back equal and are written the same again`() {
    #expect(laws.roundTrip(PropertyListSamples.all) == [])
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `random documents read back equal and are written the same again`(seed: UInt64) {
    #expect(laws.roundTripAtRandom(count: 500, seed: seed) == [])
  }

  @Test
  func `the last of duplicate keys counts, in the place of the first`() {
    let entries = """
      <key>a</key><integer>1</integer><key>b</key><integer>2</integer>
      <key>a</key><integer>3</integer>
      """
    let text = "<plist><dict>\(entries)<key>inner</key><dict>\(entries)</dict></dict></plist>"
    #expect(laws.duplicates(Array(text.utf8)) == [])
  }

  @Test
  func `arrays deeper than the limit are refused, however deep`() {
    #expect(
      laws.depth { Self.nest($0, open: "<array>", inner: "<array/>", close: "</array>") } == [])
  }

  @Test
  func `dictionaries deeper than the limit are refused, however deep`() {
    let open = "<dict><key>a</key>"
    #expect(laws.depth { Self.nest($0, open: open, inner: "<dict/>", close: "</dict>") } == [])
  }

  @Test
  func `spelled dictionaries count as one level each, and no trick makes them none`() {
    let open = "<dict><key>$dictionary</key><array><string>a</string>"
    #expect(
      laws.depth { Self.nest($0, open: open, inner: "<dict/>", close: "</array></dict>") } == [])
    // Looks like the spelling of a dictionary on the way in, and turns out to be none.
    let odd = Self.nest(
      100, open: "<dict><key>$dictionary</key><array>", inner: "<dict/>", close: "</array></dict>")
    let error = #expect(throws: FormatError.self) { try XMLPropertyListFormat().decode(odd) }
    #expect(error?.reason == .tooDeep)
  }

  @Test
  func `no damage to a file traps or hangs the reader`() {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/x.dtd">
      <plist version="1.0">
      <dict>
      \t<key>n&lt;é😀</key><integer>-12</integer><!-- c -->
      \t<key>r</key><array><real>1.5e-3</real><true/><false/></array>
      \t<key>d</key><date>2001-01-01T00:00:00Z</date>
      \t<key>b</key><data>AAEC</data>
      \t<key>z</key><dict><key>$null</key><true/></dict>
      \t<key>s</key><string>a<![CDATA[<b>]]>&#x41;&#13;</string>
      </dict>
      </plist>

      """
    #expect(laws.mutations(of: Array(text.utf8)) == [])
  }

  @Test
  func `the size of a file is bounded`() {
    let bytes = [UInt8](repeating: UInt8(ascii: " "), count: FormatLimits.bytes + 1)
    let error = #expect(throws: FormatError.self) { try XMLPropertyListFormat().decode(bytes) }
    #expect(error?.reason == .tooLarge)
  }

  private static func nest(_ depth: Int, open: String, inner: String, close: String) -> [UInt8] {
    let text =
      "<plist><dict><key>deep</key>" + String(repeating: open, count: depth - 2) + inner
      + String(repeating: close, count: depth - 2) + "</dict></plist>"
    return Array(text.utf8)
  }
}
