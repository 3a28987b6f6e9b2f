import SimpleStore
import TestSupport
import Testing

/// `@Stored` properties.
struct StoredTests {
  final class App {
    let backend = RecordingBackend()
    @Stored var user: User
    init() { _user = Stored(backend) }
  }

  struct Model {
    @Stored var user: User
  }

  @MainActor enum Shared {
    static let backend = RecordingBackend()
    @Stored(backend) static var user: User
  }

  @globalActor actor SettingsActor { static let shared = SettingsActor() }

  @SettingsActor struct OfAnActor {
    static let backend = RecordingBackend()
    @Stored(backend) static var user: User
  }

  enum Settings {
    static let backend = RecordingBackend()
    static let user = SimpleStore<User>(backend)
  }

  struct Constant: Sendable {
    static let backend = RecordingBackend()
    @Stored(backend) var user: User
    static let shared = Constant()
  }

  @Test func `a change through a class's property is one save`() {
    let app = App()
    app.user.age = 3
    #expect(app.backend.saves == 1)
    app.user.tags.append("x")
    #expect(app.backend.saves == 2)
    #expect(app.user.age == 3)
    app.$user.batchUpdate {
      $0.name = "a"
      $0.age = 4
    }
    #expect(app.backend.saves == 3)
    #expect(app.backend.document?["tags"] == .array([.string("x")]))
  }

  @Test func `a struct's property saves, and its copies share the store`() {
    let backend = RecordingBackend()
    let model = Model(user: Stored(backend))
    let copy = model
    model.user.age = 3
    model.user.tags.append("x")
    #expect(backend.saves == 2)
    #expect(copy.user.age == 3)
  }

  @Test @MainActor func `a static property of a type of the main actor saves`() {
    Shared.user.age = 3
    Shared.user.tags.append("x")
    Shared.$user.batchUpdate {
      $0.name = "a"
      $0.age = 4
    }
    #expect(Shared.backend.saves == 3)
  }

  @Test @SettingsActor func `a static property of a type of any global actor saves`() {
    OfAnActor.user.age = 3
    OfAnActor.user.tags.append("x")
    #expect(OfAnActor.backend.saves == 2)
  }

  @Test func `a static store is used by the same lines, from everywhere`() async {
    Settings.user.age = 3
    await Task.detached { Settings.user.tags.append("x") }.value
    #expect(Settings.backend.saves == 2)
    #expect(Settings.user.item.tags == ["x"])
  }

  @Test func `a static constant with a stored property is used by the same lines, from everywhere`()
    async
  {
    Constant.shared.user.age = 3
    await Task.detached { Constant.shared.user.tags.append("x") }.value
    #expect(Constant.backend.saves == 2)
    #expect(Constant.shared.$user.age == 3)
  }

  @Test func `a local variable saves`() {
    let backend = RecordingBackend()
    @Stored(backend) var user: User
    user.age = 3
    user.tags.append("x")
    #expect(backend.saves == 2)
    #expect($user.age == 3)
  }
}
