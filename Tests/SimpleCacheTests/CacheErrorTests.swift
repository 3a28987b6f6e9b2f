import CacheTestSupport
import FileSupport
import Foundation
import SimpleStore
import TestSupport
import Testing

@testable import SimpleCache

/// What errors of caches say: what was being done, in which level, on which key and path, what the
/// system answered, and what to do next.
@Suite struct CacheErrorTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let error: CacheError
    let text: String
    var testDescription: String { text }
  }

  private static func system(
    _ step: FileError.Step, _ code: Int32, _ operation: CacheError.Operation? = .set,
    key: String? = "k", path: String = "/c/pictures", found: String? = nil
  ) -> CacheError {
    CacheError(
      .failed, .system(FileError(step, path: path, code: code, found: found)),
      level: "DiskLevel pictures", key: key, operation: operation)
  }

  static let rows: [Row] = [
    Row(
      error: system(.write, ENOSPC),
      text: """
        DiskLevel pictures: cannot set “k”: writing the new entry '/c/pictures': \
        No space left on device (errno 28). Free some space, then try again.
        """),
    Row(
      error: system(.openDirectory, EACCES, .get),
      text: """
        DiskLevel pictures: cannot get “k”: opening the folder '/c/pictures': \
        Permission denied (errno 13). Give this user permission to read and write there, then try again.
        """),
    Row(
      error: system(.removeLeftover, EIO, .remove),
      text: """
        DiskLevel pictures: cannot remove “k”: removing the entry '/c/pictures': \
        Input/output error (errno 5). Put right what the system says, then try again.
        """),
    Row(
      error: system(.openDirectory, ENOTDIR, .removeAll, key: nil),
      text: """
        DiskLevel pictures: cannot remove everything: opening the folder '/c/pictures': \
        Not a directory (errno 20). Choose a folder that is one, and no link.
        """),
    Row(
      error: system(.openFile, EMFILE, .list, key: nil),
      text: """
        DiskLevel pictures: cannot look through the entries: opening the entry '/c/pictures': \
        Too many open files (errno 24). Close some files, then try again.
        """),
    Row(
      error: system(.findHome, ENOENT, .get, path: ""),
      text: """
        DiskLevel pictures: cannot get “k”: this user has no home directory. \
        Set HOME or XDG_CACHE_HOME.
        """),
    Row(
      error: system(.checkName, EINVAL, .get, path: "a/b"),
      text: """
        DiskLevel pictures: cannot get “k”: checking the name 'a/b': a name is not empty, '.' or '..', \
        and has no slash and no NUL. Choose another name.
        """),
    Row(
      error: system(.resolvePath, EINVAL, .set, path: "https://example.com"),
      text: """
        DiskLevel pictures: cannot set “k”: following the path 'https://example.com': \
        Invalid argument (errno 22). Choose a folder by the URL of a file (URL(filePath:) makes one).
        """),
    Row(
      error: system(.openFile, 0, .get, found: "a directory"),
      text: """
        DiskLevel pictures: cannot get “k”: opening the entry '/c/pictures': it is a directory. \
        Put right what the system says, then try again.
        """),
    Row(
      error: CacheError(
        .failed, level: "Shelf", key: "k", operation: .get, underlying: TestFailure("x")),
      text: """
        Shelf: cannot get “k”: it failed: TestFailure(text: "x"). \
        Put right what it says, then try again.
        """),
    Row(
      error: CacheError(
        .failed, level: "DocumentLevel", key: "k", operation: .set,
        underlying: StoreError(.damaged, "'/a' is damaged.", path: "/a")),
      text: """
        DocumentLevel: cannot set “k”: it failed: '/a' is damaged. \
        Nothing was changed. Repair it, or remove everything.
        """),
    Row(
      error: CacheError(.failed, level: "L", message: "The cupboard is locked."),
      text: """
        L: cannot do what was asked: it failed. The cupboard is locked. \
        Put right what it says, then try again.
        """),
    Row(
      error: CacheError(
        .untransformable, level: "L", key: "k", operation: .get,
        underlying: CacheError(
          .untransformable, .notText(bytes: 3, encoding: "UTF-8"), level: "StringTransformer")),
      text: """
        L: cannot get “k”: the key or the value cannot be converted: StringTransformer: \
        the 3 bytes are not text in UTF-8. Ask for what can be converted, or set it again.
        """),
    Row(
      error: CacheError(
        .untransformable, .notSpelt(encoding: "ASCII"), level: "StringTransformer",
        operation: .set),
      text: """
        StringTransformer: cannot set a value: the text cannot be spelt in ASCII. \
        Nothing was changed. Set a value that can be converted.
        """),
    Row(
      error: CacheError(
        .untransformable, level: "L", key: "k",
        underlying: DecodingError.keyNotFound(
          Key("name"), .init(codingPath: [Key("users"), Key("0")], debugDescription: ""))),
      text: """
        L: cannot convert “k”: the key or the value cannot be converted: at 'users/0': no key 'name'. \
        Ask for what can be converted, or set it again.
        """),
    Row(
      error: CacheError(
        .untransformable, level: "L", key: "k", operation: .set,
        underlying: EncodingError.invalidValue(
          Double.nan, .init(codingPath: [Key("price")], debugDescription: ""))),
      text: """
        L: cannot set “k”: the key or the value cannot be converted: at 'price': 'nan' cannot be \
        encoded. Nothing was changed. Set a value that can be converted.
        """),
    Row(
      error: CacheError(
        .refused, level: "L", key: "k", operation: .get, underlying: TestFailure("x")),
      text: """
        L: cannot get “k”: the condition refuses it: TestFailure(text: "x"). \
        Nothing was asked for or changed. Use another key.
        """),
    Row(
      error: CacheError(
        .timedOut, .timeLimit(.milliseconds(1_500)), level: "L", key: 5, operation: .get),
      text: "L: cannot get “5”: no answer within 1.5 s. Try again later, or allow more time."),
    Row(
      error: CacheError(.timedOut, level: "L", key: 5),
      text: """
        L: cannot get “5”: no answer in the time allowed. Try again later, or allow more time.
        """),
    Row(
      error: CacheError(.status, level: "NetworkFetcher", key: "k", status: 404),
      text: """
        NetworkFetcher: cannot get “k”: the server answered with the status 404. \
        Check the key; asking again will not help.
        """),
    Row(
      error: CacheError(.status, level: "NetworkFetcher", key: "k", status: 503),
      text: """
        NetworkFetcher: cannot get “k”: the server answered with the status 503. Try again later.
        """),
    Row(
      error: CacheError(.tooLarge, level: "N", key: "k", message: "More than 10 bytes."),
      text: """
        N: cannot get “k”: the answer is larger than allowed. More than 10 bytes. \
        Raise the size limit, or ask for less.
        """),
    Row(
      error: CacheError(.unreachable, level: "N", key: "k", message: "The answer is not HTTP."),
      text: """
        N: cannot get “k”: the server cannot be reached, or broke off. The answer is not HTTP. \
        Check the network, then try again.
        """),
    Row(
      error: CacheError(
        .mismatchedBatch, .batch(keys: 2, values: 1), level: "L", key: ["a", "b"],
        operation: .set),
      text: """
        L: cannot set “["a", "b"]”: 2 keys and 1 value. \
        Nothing was changed. Give one value for each key.
        """),
    Row(
      error: CacheError(.circular, level: "P", key: "k", operation: .get),
      text: """
        P: cannot get “k”: the source that fetches it asks this cache for it. \
        Have the source fetch it from somewhere else.
        """),
    Row(
      error: CacheError(
        .unavailable,
        .noPressure(stallFile: "/p", stallError: ENOENT, groupFile: nil, groupError: 0),
        level: "MemoryPressure"),
      text: """
        MemoryPressure: cannot do what was asked: /p: No such file or directory (errno 2); \
        no control group of version 2. Asking again will not help.
        """),
  ]

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(String(intValue)) }
  }

  @Test(arguments: rows)
  func `an error is a sentence that says what to do next`(row: Row) {
    #expect(row.error.description == row.text)
    #expect(row.error.localizedDescription == row.text)
  }

  @Test(arguments: FileError.Step.allCases)
  func `each step has words`(step: FileError.Step) {
    let text = Self.system(step, EIO).description
    #expect(!text.contains(step.rawValue) || ["lock", "write", "close"].contains(step.rawValue))
    #expect(!text.contains("FileError"))
  }

  @Test func `a long key is cut`() {
    let error = CacheError(.failed, level: "L", key: String(repeating: "x", count: 5_000))
    #expect(error.key?.count == 200)
  }

  @Test func `a disk that refuses says what it was doing, where, and what the system answered`()
    async throws
  {
    let folder = TemporaryFolder()
    let place = folder.file("file")
    try Data("no folder".utf8).write(to: place)
    let told = Collected<CacheEvent<String>>()
    let disk = DiskLevel<String, Data>(directory: place)
    let both = MemoryLevel<String, Data>().compose(disk) { told.add($0) }
    func check(
      _ operation: CacheError.Operation, _ key: String?, _ body: () async throws -> Void
    ) async {
      let error = await #expect(throws: CacheError.self) { try await body() }
      #expect(error?.operation == operation)
      #expect(error?.key == key)
      #expect(error?.level == "DiskLevel")
      #expect(error?.path == place.path)
      #expect(error?.systemError == ENOTDIR)
      #expect(error?.underlying == nil)
    }
    await check(.get, "k") { _ = try await disk.get("k") }
    await check(.set, "k") { try await both.set(Data(), forKey: "k") }
    await check(.remove, "k") { try await disk.remove("k") }
    await check(.removeAll, nil) { try await both.removeAll() }
    await check(.list, nil) { _ = try await disk.count }
  }
}
