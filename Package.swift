// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "SimpleStore",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "SimpleStore", targets: ["SimpleStore"]),
    .library(name: "SimpleCache", targets: ["SimpleCache"]),
    .library(name: "SimpleStoreSystem", targets: ["SimpleStoreSystem"]),
    .executable(name: "quick-start", targets: ["quick-start"]),
    .executable(name: "benchmarks", targets: ["benchmarks"]),
    .executable(name: "live-settings", targets: ["live-settings"]),
    .executable(name: "layered-cache", targets: ["layered-cache"]),
    .executable(name: "news-list", targets: ["news-list"]),
  ],
  targets: [
    // Bytes and paths: the only code that touches the file system.
    .target(name: "FileSupport"),
    // Item → Mapper → Document → Backend.
    .target(name: "SimpleStore", dependencies: ["FileSupport"]),
    // Caches composed from levels.
    .target(name: "SimpleCache", dependencies: ["SimpleStore", "FileSupport", "ChecksumFolding"]),
    // One function in C: an instruction that Swift cannot use where only some processors have it.
    .target(name: "ChecksumFolding"),
    // What needs all of Foundation: UserDefaults, secrets, keyed archives.
    .target(
      name: "SimpleStoreSystem", dependencies: ["SimpleStore", "SimpleCache", "FileSupport"]),

    .executableTarget(
      name: "quick-start", dependencies: ["SimpleStore"], path: "Examples/quick-start"),
    .executableTarget(
      name: "benchmarks", dependencies: ["SimpleStore", "SimpleCache"],
      path: "Examples/benchmarks"),

    .executableTarget(
      name: "live-settings", dependencies: ["SimpleStore"], path: "Examples/live-settings"),
    .executableTarget(
      name: "layered-cache", dependencies: ["SimpleCache", "LoopbackServer"],
      path: "Examples/layered-cache"),
    .executableTarget(
      name: "news-list", dependencies: ["SimpleCache", "LoopbackServer"],
      path: "Examples/news-list", resources: [.embedInCode("feed.json")]),
    // A network for examples and tests: HTTP on 127.0.0.1.
    .target(
      name: "LoopbackServer", dependencies: ["SimpleStore"], path: "Examples/LoopbackServer"),

    .target(
      name: "TestSupport", dependencies: ["SimpleStore", "FileSupport"], path: "Tests/TestSupport"),
    .testTarget(name: "FileSupportTests", dependencies: ["FileSupport", "TestSupport"]),
    .testTarget(
      name: "ObservationTests",
      dependencies: ["SimpleStore", "FileSupport", "TestSupport", "SettingsEditor"]),
    // Another process that edits settings, for the tests.
    .executableTarget(
      name: "SettingsEditor", dependencies: ["SimpleStore"], path: "Tests/SettingsEditor"),
    .testTarget(
      name: "SimpleStoreTests", dependencies: ["SimpleStore", "TestSupport"],
      // Read from the source tree, so that they can be written there too.
      exclude: ["Fixtures"]),
    .testTarget(
      name: "SimpleStoreSystemTests",
      dependencies: [
        "SimpleStoreSystem", "SimpleStore", "SimpleCache", "FileSupport", "TestSupport",
        "CacheTestSupport",
      ],
      exclude: ["Fixtures"]),
    // The package as a user sees it: public names only.
    .testTarget(name: "ConsumerTests", dependencies: ["SimpleStore"]),
    // What the documents say compiles, and prints what they say.
    .testTarget(
      name: "DocumentationTests",
      dependencies: ["SimpleStore", "SimpleStoreSystem", "SimpleCache", "TestSupport"]),
    .testTarget(
      name: "ExampleTests",
      dependencies: ["quick-start", "layered-cache", "news-list", "TestSupport"],
      exclude: ["Expected"]),

    // The contract, tried from outside: a process to kill, to trace and to have several of.
    .executableTarget(
      name: "store-probe", dependencies: ["SimpleStore", "SimpleCache"], path: "Tests/StoreProbe"),
    .testTarget(
      name: "ContractTests",
      dependencies: ["SimpleStore", "SimpleCache", "FileSupport", "TestSupport", "store-probe"],
      exclude: ["Corpus", "fault-shim.c"]),
    .target(
      name: "CacheTestSupport", dependencies: ["SimpleCache", "SimpleStore"],
      path: "Tests/CacheTestSupport"),
    .testTarget(
      name: "SimpleCacheTests",
      dependencies: [
        "SimpleCache", "SimpleStore", "FileSupport", "CacheTestSupport", "TestSupport",
        "LoopbackServer",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    // `any` is written where a value is boxed, so that boxing is seen.
    .enableUpcomingFeature("ExistentialAny"),
    // An import is part of the interface only where it says `public`.
    .enableUpcomingFeature("InternalImportsByDefault"),
    // A member is found only through a module that this file imports.
    .enableUpcomingFeature("MemberImportVisibility"),
    // An async function stays on its caller's actor unless it says otherwise.
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
  // For `.ci/run`: with a flag on the command line instead, everything would be built a second time.
  if Context.environment["SIMPLESTORE_STRICT"] == "1" {
    target.swiftSettings?.append(.treatAllWarnings(as: .error))
  }
}
