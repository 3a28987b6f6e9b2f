import SimpleStore
import Testing

@Suite("XML property lists are read in the encodings they may have")
struct XMLEncodingTests {
  private static let text = "<plist><dict><key>é😀</key><string>日本</string></dict></plist>"
  private static let document: StoreDocument = ["é😀": .string("日本")]

  private static func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
    ([0xFEFF] + Array(text.utf16)).flatMap { unit in
      let pair = [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
      return bigEndian ? pair : pair.reversed()
    }
  }

  @Test(arguments: [true, false])
  func `UTF-16 with a byte order mark is read`(bigEndian: Bool) throws {
    let format = XMLPropertyListFormat()
    #expect(try format.decode(Self.utf16(Self.text, bigEndian: bigEndian)) == Self.document)
    let declared = "<?xml version='1.0' encoding='utf-16'?>" + Self.text
    #expect(try format.decode(Self.utf16(declared, bigEndian: bigEndian)) == Self.document)
    let wrong = Self.utf16("<?xml version='1.0' encoding='utf-8'?><dict/>", bigEndian: bigEndian)
    let error = #expect(throws: FormatError.self) { try format.decode(wrong) }
    #expect(error?.reason == .unsupportedEncoding("utf-8"))
  }

  @Test
  func `half a character of UTF-16 is refused`() {
    let format = XMLPropertyListFormat()
    let whole = Self.utf16(Self.text, bigEndian: true)
    let cut = #expect(throws: FormatError.self) { try format.decode(whole.dropLast()) }
    #expect(cut?.reason == .unexpectedEnd)
    // The first half of 😀 is gone.
    let broken = Array(whole[..<40]) + whole[42...]
    let error = #expect(throws: FormatError.self) { try format.decode(broken) }
    #expect(error == FormatError(.unpairedSurrogate, line: 1, column: 20))
  }

  @Test(
    arguments: [
      [0xFF, 0xFE, 0, 0, 0x3C, 0, 0, 0], [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x3C], [0, 0x3C, 0, 0x64],
      [0x3C, 0, 0x64, 0],
    ] as [[UInt8]])
  func `other encodings are named, not guessed`(bytes: [UInt8]) {
    let error = #expect(throws: FormatError.self) { try XMLPropertyListFormat().decode(bytes) }
    guard case .unsupportedEncoding = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}

extension XMLPropertyListFormat {
  fileprivate func decode(_ bytes: ArraySlice<UInt8>) throws(FormatError) -> StoreDocument {
    try decode(Array(bytes))
  }
}
