import Foundation
import SimpleStore
import TestSupport
import Testing

/// What people try who are new to the library.
struct NewcomerTests {
  struct Window: StoreItem {
    @StoreParam(key: "width", default: 800) var width
    @StoreParam(key: "title", default: "") var title
  }
  struct Settings: StoreItem {
    @StoreParam(key: "name", default: "") var name
    @StoreParam(key: "id", default: UUID()) var id
    @StoreParam(key: "window", default: Window()) var window
    @StoreParam(key: "spare") var spare: Window?
    @StoreParam(key: "windows", default: []) var windows: [Window]
    @StoreParam(key: "named", default: [:]) var named: [String: [Window]]
  }

  @Test(arguments: BackendKind.allCases, [DefaultsPolicy.written, .omitted])
  func `reset takes a field with or without the dollar sign, and one inside an item`(
    _ kind: BackendKind, _ defaults: DefaultsPolicy
  ) throws {
    let place = kind.place()
    let store = SimpleStore<Settings>(place.backend, defaults: defaults)
    let id = store.id
    try store.update {
      $0.name = "a"
      $0.id = UUID()
      $0.window.width = 1
      $0.window.title = "t"
    }
    store.reset(\.name)
    #expect(store.name == "")
    store.reset(\.window.width)
    #expect(store[\.window.width] == 800)
    #expect(store[\.window.title] == "t")
    // The default of this item, not that of another one.
    store.reset(\.id)
    #expect(store.id == id)
    store.reset(\.$window)
    #expect(store[\.window.title] == "")
    #expect(store.saveError == nil)
    if defaults == .omitted { #expect(try place.stored() == [:]) }
    let fresh = SimpleStore<Settings>(place.backend, defaults: defaults)
    #expect(fresh.name == "")
    #expect(fresh[\.window.width] == 800)
  }

  @Test func `print and dump show an item's values, not how its fields are made`() {
    var user = User()
    user.name = "sky"
    user.tags = ["a"]
    #expect(
      "\(user)"
        == #"User(_name: "sky", _age: 0, _gender: \#(String(reflecting: Gender.unknown)), _nickname: nil, _tags: ["a"])"#
    )
    var text = ""
    dump(user, to: &text)
    #expect(text.contains(#"_name: "sky""#))
    #expect(text.contains(#"key: "name""#))
    #expect(text.contains(#"default: """#))
    #expect(!text.contains("stamp"))
    #expect("\(user.$name)" == "sky")
  }

  @Test func `a store says in which file it is kept`() throws {
    for kind in BackendKind.files {
      let place = kind.place()
      let store = SimpleStore<User>(place.backend)
      #expect(store.fileURL?.systemPath == place.file.systemPath)
      try store.save()
      let url = try #require(store.fileURL)
      #expect(FileManager.default.fileExists(atPath: url.systemPath))
    }
    #expect(SimpleStore<User>(.memory).fileURL == nil)
    #expect(SimpleStore<User>(MemoryBackend()).fileURL == nil)
    let refused = SimpleStore<User>(.json(at: try #require(URL(string: "https://example.test/a"))))
    #expect(refused.fileURL == nil)
    let relative = SimpleStore<User>(.json(at: URL(filePath: "a b/é.json")))
    let current = FileManager.default.currentDirectoryPath
    #expect(relative.fileURL?.systemPath == "\(current)/a b/é.json")
  }

  @Test(arguments: BackendKind.allCases)
  func `the report says where inside an item a value is of the wrong type`(
    _ kind: BackendKind
  ) throws {
    let wrong: StoreValue = .dictionary(["width": .string("wide"), "title": .integer(1)])
    let right: StoreValue = .dictionary(["width": .integer(1), "title": .string("a")])
    let place = kind.place()
    try place.put([
      "window": .dictionary(["width": .string("wide"), "title": .string("t")]),
      "spare": wrong,
      "windows": .array([right, wrong]),
      "named": .dictionary(["a.b": .array([wrong])]),
    ])
    let store = SimpleStore<Settings>(place.backend)
    let paths = { store.loadReport.nestedWrongTypes.map(\.path) }
    let rest = [
      "spare.width", "spare.title", "windows[1].width", "windows[1].title",
      "named.a.b[0].width", "named.a.b[0].title",
    ]
    #expect(paths() == ["window.width"] + rest)
    #expect(store.loadReport.wrongTypes == [])
    #expect(store.loadReport.nestedWrongTypes.first?.key == "window")
    #expect(
      store.loadReport.description.contains(
        #"the value of "window.width" should be Int and is string; the field has its default"#))
    #expect(store[\.window.title] == "t")

    // Another field of it is set: what is wrong stays, and is still named.
    try store.set(\.window.title, to: "u")
    #expect(paths().sorted() == (["window.width"] + rest).sorted())
    let stored = try #require(try place.stored()?["window"])
    #expect(stored == .dictionary(["width": .string("wide"), "title": .string("u")]))
    try store.set(\.window.width, to: 5)
    #expect(paths() == rest)
    try store.reload()
    #expect(paths() == rest)
    try place.put(["window": right])
    try store.reload()
    #expect(paths() == [])
    #expect(store.loadReport.description.contains("window.") == false)
  }
}
