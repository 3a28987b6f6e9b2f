import SimpleStore

enum Gender: Int, StoreConvertible, StoreKey { case unknown, male, female }

/// The item of most tests.
struct User: StoreItem {
  @StoreParam(key: "name", default: "") var name
  @StoreParam(key: "age", default: 0) var age
  @StoreParam(key: "gender", default: Gender.unknown) var gender
  @StoreParam(key: "nickname") var nickname: String?
  @StoreParam(key: "tags", default: []) var tags: [String]

  /// A property that is not stored.
  var greeting: String { "Hello, \(name)" }
}

/// Another item with one field of `User` and one of its own.
struct Account: StoreItem {
  @StoreParam(key: "name", default: "") var name
  @StoreParam(key: "quota", default: 100) var quota
}
