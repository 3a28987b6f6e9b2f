import Foundation
import SimpleStore

// The same settings three times: 3 fields, 30 fields, and a dictionary of 10,000 entries; each as
// an item and as a plain `Codable` struct, which is its twin for Foundation's coders and, of the two
// smaller ones, a `CodableStoreItem`.

struct SmallItem: StoreItem {
  @StoreParam(key: "name", default: "Ann Example") var name
  @StoreParam(key: "age", default: 42) var age
  @StoreParam(key: "isAdult", default: true) var isAdult
}

struct SmallTwin: CodableStoreItem {
  var name = "Ann Example"
  var age = 42
  var isAdult = true
}

struct MediumItem: StoreItem {
  @StoreParam(key: "name", default: "Ann Example") var name
  @StoreParam(key: "mail", default: "ann@example.org") var mail
  @StoreParam(key: "city", default: "Lübeck") var city
  @StoreParam(key: "street", default: "Long Street 17, second floor") var street
  @StoreParam(key: "language", default: "de") var language
  @StoreParam(key: "theme", default: "dark") var theme
  @StoreParam(key: "font", default: "Source Serif") var font
  @StoreParam(key: "signature", default: "Kind regards,\nAnn") var signature
  @StoreParam(key: "lastFolder", default: "Documents/Letters/2026") var lastFolder
  @StoreParam(key: "lastSearch", default: "where is it?") var lastSearch
  @StoreParam(key: "age", default: 42) var age
  @StoreParam(key: "launches", default: 1017) var launches
  @StoreParam(key: "fontSize", default: 13) var fontSize
  @StoreParam(key: "width", default: 1280) var width
  @StoreParam(key: "height", default: 800) var height
  @StoreParam(key: "left", default: -12) var left
  @StoreParam(key: "top", default: 44) var top
  @StoreParam(key: "largest", default: 9_007_199_254_740_993) var largest
  @StoreParam(key: "isAdult", default: true) var isAdult
  @StoreParam(key: "isMuted", default: false) var isMuted
  @StoreParam(key: "showsTips", default: true) var showsTips
  @StoreParam(key: "checksSpelling", default: false) var checksSpelling
  @StoreParam(key: "volume", default: 0.7) var volume
  @StoreParam(key: "zoom", default: 1.25) var zoom
  @StoreParam(key: "balance", default: -0.1) var balance
  @StoreParam(key: "opened", default: Date(timeIntervalSinceReferenceDate: 800_000_000)) var opened
  @StoreParam(key: "token", default: Data(0..<32)) var token
  @StoreParam(key: "nickname", default: "annie") var nickname: String?
  @StoreParam(key: "tags", default: ["red", "green", "blue"]) var tags
  @StoreParam(key: "counts", default: ["in": 3, "out": 5]) var counts
}

struct MediumTwin: CodableStoreItem {
  var name = "Ann Example"
  var mail = "ann@example.org"
  var city = "Lübeck"
  var street = "Long Street 17, second floor"
  var language = "de"
  var theme = "dark"
  var font = "Source Serif"
  var signature = "Kind regards,\nAnn"
  var lastFolder = "Documents/Letters/2026"
  var lastSearch = "where is it?"
  var age = 42
  var launches = 1017
  var fontSize = 13
  var width = 1280
  var height = 800
  var left = -12
  var top = 44
  var largest = 9_007_199_254_740_993
  var isAdult = true
  var isMuted = false
  var showsTips = true
  var checksSpelling = false
  var volume = 0.7
  var zoom = 1.25
  var balance = -0.1
  var opened = Date(timeIntervalSinceReferenceDate: 800_000_000)
  var token = Data(0..<32)
  var nickname: String? = "annie"
  var tags = ["red", "green", "blue"]
  var counts = ["in": 3, "out": 5]
}

struct LargeItem: StoreItem {
  @StoreParam(key: "age", default: 42) var age
  @StoreParam(key: "entries", default: [:]) var entries: [String: String]

  static var filled: LargeItem {
    var item = LargeItem()
    item.entries = tenThousandEntries
    return item
  }
}

struct LargeTwin: Codable {
  var age = 42
  var entries = tenThousandEntries
}

let tenThousandEntries: [String: String] = Dictionary(
  uniqueKeysWithValues: (0..<10_000).map { ("key.\($0)", "the value of entry \($0)") })

/// What the three sizes are called in the report.
enum Size {
  static let small = "3 fields"
  static let medium = "30 fields"
  static let large = "10,000 entries"
}
