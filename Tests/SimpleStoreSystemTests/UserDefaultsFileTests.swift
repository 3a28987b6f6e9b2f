#if !canImport(Darwin)
  import FileSupport
  import Foundation
  import SimpleStore
  import SimpleStoreSystem
  import Synchronization
  import TestSupport
  import Testing

  /// The file that a suite is on Linux.
  struct UserDefaultsFileTests {
    @Test(arguments: [
      "plain", "a b", "a%20b", "ü", "e\u{301}", "a\\b", "x:y", "q?r#f", "a.plist", "~", "-x", "'\"",
    ])
    func `the store's file is Foundation's file`(_ name: String) throws {
      let place = DefaultsPlace(name)
      place.plain.set(7, forKey: "age")
      place.plain.synchronize()
      #expect(place.names == ["\(place.suite).plist"])
      let store = SimpleStore<User>(.userDefaults(suite: place.suite))
      #expect(store.age == 7)
      store.age = 8
      #expect(place.plain.integer(forKey: "age") == 8)
      #expect(place.names.filter { !$0.hasPrefix(".") } == ["\(place.suite).plist"])
    }

    @Test func `a whole suite's edit keeps what others saved, whoever looks meanwhile`() throws {
      let place = DefaultsPlace()
      let suite = UserDefaultsBackend.userDefaults(suite: place.suite)
      try suite.save(["a": .integer(1), "b": .integer(2)])
      try suite.lock()
      var document = try suite.load() ?? StoreDocument()
      try inAnotherThread {
        try UserDefaultsBackend.userDefaults(suite: place.suite, key: "user").save([
          "age": .integer(7)
        ])
        _ = try UserDefaultsBackend.userDefaults(suite: place.suite).load()
      }
      document["a"] = .integer(5)
      document["b"] = nil
      try suite.save(document)
      suite.unlock()
      #expect(try place.stored["a"] as? Int == 5)
      #expect(try place.stored["b"] == nil)
      #expect(try place.stored["user"] as? [String: Int] == ["age": 7])
    }

    @Test(arguments: [PropertyListFormat.xml, .binary])
    func `a suite's file that is open as a property list is written for Foundation all the same`(
      _ format: PropertyListFormat
    ) throws {
      let place = DefaultsPlace()
      let plist = FileBackend.plist(at: place.file, format: format)
      let document: StoreDocument = [
        "huge": .number("123456789012345678901234567890"), "a": .bool(true),
      ]
      try plist.save(document)
      let suite = UserDefaultsBackend.userDefaults(suite: place.suite)
      #expect(try suite.load() == document)
      try suite.save(document)
      #expect(try place.file.bytes.starts(with: "bplist".utf8) == (format == .binary))
      #expect(place.plain.bool(forKey: "a"))
      #expect(try plist.load() == document)
      // And the other way: a plain property list is not wrapped for Foundation.
      try plist.save(document)
      if format == .xml { #expect(try place.file.text.contains("<integer>1234567890")) }
    }

    private func inAnotherThread(_ body: @escaping @Sendable () throws -> Void) throws {
      let result = Mutex<Result<Void, any Error>?>(nil)
      let done = DispatchSemaphore(value: 0)
      Thread {
        let outcome = Result { try body() }
        result.withLock { $0 = outcome }
        done.signal()
      }.start()
      done.wait()
      try result.withLock { $0 }?.get()
    }

    @Test(arguments: DefaultsKind.allCases)
    func `opening and reading write nothing`(_ kind: DefaultsKind) throws {
      let place = DefaultsPlace()
      do { SimpleStore<User>(kind.backend(place)).name = "Ann" }
      for name in place.names where name.hasPrefix(".") {
        try FileManager.default.removeItem(at: DefaultsPlace.folder.appending(path: name))
      }
      let before = (try ManagedFile(path: place.file.systemPath).version(), place.names)
      do {
        let store = SimpleStore<User>(kind.backend(place))
        _ = (store.name, store.loadState)
        try store.reload()
        store.name = "Ann"
      }
      #expect(try ManagedFile(path: place.file.systemPath).version() == before.0)
      #expect(place.names == before.1)
    }

    @Test(arguments: DefaultsKind.allCases, ["hello", "<plist>", "bplist00", "{\"a\": 1}"])
    func `a damaged file is never overwritten`(
      _ kind: DefaultsKind, _ content: String
    ) throws {
      let place = DefaultsPlace()
      try place.write(content)
      let store = SimpleStore<User>(kind.backend(place))
      guard case .damaged(let error) = store.loadState else {
        Issue.record("\(store.loadState)")
        return
      }
      #expect(error.path == place.file.systemPath)
      let refusing = SimpleStore<User>(kind.backend(place), onDamage: .refuse)
      refusing.age = 1
      #expect(refusing.saveError?.code == .damaged)
      #expect(try place.file.text == content)
      store.age = 1
      #expect(store.saveError == nil)
      let kept = try #require(store.loadReport.damagedFile)
      #expect(try URL(filePath: kept).text == content)
      #expect(place.plain.object(forKey: kind == .oneDictionary ? "user" : "age") != nil)
    }

    @Test func `unsaved changes of plain code do not make a store overwrite a damaged file`()
      async throws
    {
      let place = DefaultsPlace()
      try place.write("damaged")
      // In a process of its own: whatever calls `synchronize()` writes all suites of a process.
      await #expect(processExitsWith: .success) { [suite = place.suite as String] in
        UserDefaults(suiteName: suite)?.set(1, forKey: "pending")
        for _ in 0..<3 {
          let store = SimpleStore<User>(.userDefaults(suite: suite), onDamage: .refuse)
          store.age = 1
          precondition(store.saveError?.code == .damaged)
        }
      }
      #expect(try place.file.text == "damaged")
      #expect(place.names == ["\(place.suite).plist"])
    }

    @Test(arguments: DefaultsKind.allCases)
    func `only the file and its lock stay after a save`(_ kind: DefaultsKind) {
      let place = DefaultsPlace()
      let store = SimpleStore<User>(kind.backend(place))
      store.age = 1
      store.age = 2
      #expect(place.names == [".\(place.suite).plist.lock", "\(place.suite).plist"])
    }

    @Test func `the longest name of a suite works, and a longer one is refused`() {
      let place = DefaultsPlace()
      for (length, works) in [(200, true), (235, true), (236, false), (255, false), (300, false)] {
        let suite = place.suite + String(repeating: "x", count: length - place.suite.utf8.count)
        let store = SimpleStore<User>(.userDefaults(suite: suite))
        store.age = 1
        #expect(store.saveError?.code == (works ? nil : .invalidLocation))
      }
    }

    @Test(arguments: DefaultsKind.allCases)
    func `a file that cannot be read is an error, never empty`(_ kind: DefaultsKind) throws {
      let place = DefaultsPlace()
      try FileManager.default.createDirectory(at: place.file, withIntermediateDirectories: true)
      let store = SimpleStore<User>(kind.backend(place))
      guard case .failed(let error) = store.loadState, error.code == .unreadable else {
        Issue.record("\(store.loadState)")
        return
      }
      store.age = 1
      #expect(store.saveError?.code == .unreadable)
      #expect(place.names == ["\(place.suite).plist"])
    }

    @Test(arguments: DefaultsKind.allCases)
    func `control characters of plain code are not damage, and stay`(_ kind: DefaultsKind) throws {
      let place = DefaultsPlace()
      place.plain.set("a\u{1}b", forKey: "odd")
      place.plain.synchronize()
      let content = try place.file.bytes
      let store = SimpleStore<User>(kind.backend(place))
      guard case .failed(let error) = store.loadState, error.code == .unreadable else {
        Issue.record("\(store.loadState)")
        return
      }
      #expect(error.description.contains("control characters"))
      store.age = 1
      #expect(store.saveError?.code == .unreadable)
      #expect(try place.file.bytes == content)
      place.plain.removeObject(forKey: "odd")
      place.plain.synchronize()
      try store.reload()
      store.age = 1
      #expect(store.saveError == nil)
    }

    @Test func `a new file is for its owner only, and the mode of an old one stays`() throws {
      let place = DefaultsPlace()
      let mode = {
        try FileManager.default.attributesOfItem(atPath: place.file.systemPath)[.posixPermissions]
          as? Int
      }
      let store = SimpleStore<User>(.userDefaults(suite: place.suite))
      store.age = 1
      #expect(try mode() == 0o600)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o640], ofItemAtPath: place.file.systemPath)
      store.age = 2
      #expect(try mode() == 0o640)
    }

    @Test(arguments: DefaultsKind.allCases)
    func `a value is there for the next process when the line has returned`(
      _ kind: DefaultsKind
    ) async throws {
      let place = DefaultsPlace()
      let key: String? = kind == .oneDictionary ? "user" : nil
      await #expect(processExitsWith: .exitCode(7)) {
        [suite = place.suite as String, key = key as String?] in
        let backend: UserDefaultsBackend =
          key.map { .userDefaults(suite: suite, key: $0) } ?? .userDefaults(suite: suite)
        SimpleStore<User>(backend).age = 41
        _exit(7)
      }
      await #expect(processExitsWith: .exitCode(41)) {
        [suite = place.suite as String, key = key as String?] in
        let plain = UserDefaults(suiteName: suite)
        let age =
          key.map { plain?.dictionary(forKey: $0)?["age"] } ?? plain?.object(forKey: "age")
        _exit(Int32(age as? Int ?? 0))
      }
      #expect(SimpleStore<User>(kind.backend(place)).age == 41)
    }

    @Test func `two processes lose none of their changes`() async throws {
      let place = DefaultsPlace()
      let suite = place.suite
      async let first: Void = count("first")
      async let second: Void = count("second")
      _ = await (first, second)
      func count(_ key: String) async {
        await #expect(processExitsWith: .success) {
          [suite = suite as String, key = key as String] in
          let store = SimpleStore<User>(.userDefaults(suite: suite, key: key))
          let both = SimpleStore<User>(.userDefaults(suite: suite, key: "both"))
          for _ in 0..<50 {
            store.age += 1
            both.age += 1
          }
        }
      }
      let counts = ["first", "second", "both"].map {
        SimpleStore<User>(.userDefaults(suite: suite, key: $0)).age
      }
      #expect(counts == [50, 50, 100])
    }

    @Test func `the place is that of the environment that the process started with`() async throws {
      let folder = TemporaryFolder()
      let path = folder.url.systemPath
      let place = DefaultsPlace()
      await #expect(processExitsWith: .success) {
        [path = path as String, suite = place.suite as String] in
        setenv("HOME", path, 1)
        setenv("XDG_CONFIG_HOME", path, 1)
        SimpleStore<User>(.userDefaults(suite: suite)).age = 3
        precondition(UserDefaults(suiteName: suite)?.integer(forKey: "age") == 3)
      }
      #expect(SimpleStore<User>(.userDefaults(suite: place.suite)).age == 3)
      #expect(try folder.allNames == [])
    }

    @Test func `XDG_CONFIG_HOME counts when it is absolute, and without a home there is no place`()
    {
      let folder = TemporaryFolder()
      let path = folder.url.systemPath
      func names(_ environment: [String: String]) -> [String]? {
        let store = SimpleStore<User>(
          UserDefaultsBackend(suite: "test", key: nil, environment: environment))
        store.age = 1
        if let error = store.saveError {
          #expect(error.code == .invalidLocation)
          return nil
        }
        return try? FileManager.default.subpathsOfDirectory(atPath: path)
          .filter { $0.hasSuffix(".plist") }.sorted()
      }
      #expect(names([:]) == nil)
      #expect(names(["HOME": "relative", "XDG_CONFIG_HOME": "relative"]) == nil)
      #expect(names(["HOME": path, "XDG_CONFIG_HOME": "relative"]) == [".config/test.plist"])
      #expect(
        names(["HOME": path, "XDG_CONFIG_HOME": "\(path)/config"])
          == [".config/test.plist", "config/test.plist"])
    }
  }
#endif
