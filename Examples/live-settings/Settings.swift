import SimpleStore

enum Theme: String, StoreConvertible { case light, dark }

struct Settings: StoreItem {
  static let volumes = 0...100

  @StoreParam(key: "theme", default: Theme.light) var theme
  @StoreParam(key: "volume", default: 50, in: Settings.volumes) var volume
  @StoreParam(key: "greeting", default: "Hello") var greeting

  var description: String { "theme \(theme), volume \(volume), greeting \"\(greeting)\"" }
}
