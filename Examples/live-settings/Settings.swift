import SimpleStore

enum Theme: String, StoreConvertible { case light, dark }

struct Settings: StoreItem {
  @StoreParam(key: "theme", default: Theme.light) var theme
  @StoreParam(key: "volume", default: 50) var volume
  @StoreParam(key: "greeting", default: "Hello") var greeting

  var description: String { "theme \(theme), volume \(volume), greeting \"\(greeting)\"" }
}
