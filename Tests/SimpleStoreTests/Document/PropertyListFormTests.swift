import SimpleStore
import Testing

@Suite("The form of a property list is known by its beginning")
struct PropertyListFormTests {
  @Test(arguments: PropertyListForm.allCases)
  func `what a form writes is of that form, and the other refuses it by name`(
    form: PropertyListForm
  ) throws {
    let bytes = try form.format.encode(["a": .integer(1)])
    #expect(PropertyListForm(of: bytes) == form)
    let other: PropertyListForm = form == .xml ? .binary : .xml
    let error = #expect(throws: FormatError.self) { try other.format.decode(bytes) }
    let name = form == .xml ? "XML" : "a binary property list"
    #expect(error?.reason == .otherFormat(found: name))
  }

  @Test
  func `every beginning of XML is known`() {
    for text in ["<plist/>", " \n<?xml", "\u{feff}<dict/>"] {
      #expect(PropertyListForm(of: Array(text.utf8)) == .xml)
    }
    #expect(PropertyListForm(of: [0xFE, 0xFF, 0, 0x3C]) == .xml)
    #expect(PropertyListForm(of: [0xFF, 0xFE, 0x3C, 0]) == .xml)
  }

  @Test(arguments: ["", " \n", "hello", "{}", "{ a = 1; }", "bplis"])
  func `what is neither form is none`(text: String) {
    #expect(PropertyListForm(of: Array(text.utf8)) == nil)
  }
}
