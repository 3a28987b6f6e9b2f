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

  @Test @MainActor func `a static property and a local variable save`() {
    Shared.user.age = 3
    Shared.user.tags.append("x")
    #expect(Shared.backend.saves == 2)
    let backend = RecordingBackend()
    @Stored(backend) var user: User
    user.age = 3
    user.tags.append("x")
    #expect(backend.saves == 2)
    #expect($user.age == 3)
  }
}
