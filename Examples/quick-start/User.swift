import SimpleStore

enum Gender: Int, StoreConvertible { case unknown, male, female }

struct User: StoreItem {
  @StoreParam(key: "name", default: "") var name
  @StoreParam(key: "age", default: 0) var age
  @StoreParam(key: "gender", default: Gender.unknown) var gender
  @StoreParam(key: "nickname") var nickname: String?
}
