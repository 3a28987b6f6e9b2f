import Foundation
import SimpleStore
import Testing

/// Every sentence that a user may read, as a table.
struct ErrorMessageTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let error: StoreError
    let sentence: String
    var testDescription: String { sentence }

    init(_ error: StoreError, _ sentence: String) {
      self.error = error
      self.sentence = sentence
    }
  }

  static let rows: [Row] = [
    Row(
      StoreError(
        .unreadable, .system(step: "openFile", code: EACCES, found: nil), path: "/a/user.json"),
      """
      cannot read '/a/user.json': opening it: Permission denied (errno 13). \
      Nothing will be saved over it. Give this user permission to read it, then call reload().
      """),
    Row(
      StoreError(
        .unreadable, .system(step: "examineFile", code: EISDIR, found: "a directory"),
        path: "/a"),
      """
      cannot read '/a': looking at it: it is a directory. \
      Nothing will be saved over it. Give the path of a file, or take it away and call reload().
      """),
    Row(
      StoreError(.unreadable, .format(FormatError(.tooLarge)), path: "/a/user.json"),
      """
      cannot read '/a/user.json': it is larger than 268435456 bytes. \
      Nothing will be saved over it. Repair it or take it away, then call reload().
      """),
    Row(
      StoreError(
        .damaged,
        .format(
          FormatError(
            .unexpectedByte(UInt8(ascii: "}"), expected: "a value"), offset: 30, line: 3,
            column: 11)),
        path: "user.json"),
      """
      'user.json' is damaged: found '}' where a value should be, at line 3, column 11. \
      Its bytes are kept: repair it and call reload(), or let the next save move it aside (not with onDamage: .refuse).
      """),
    Row(
      StoreError(
        .damaged, .format(FormatError(.invalidTrailer, offset: 40)), path: "user.plist"),
      """
      'user.plist' is damaged: its trailer does not fit the file, at byte 40. \
      Its bytes are kept: repair it and call reload(), or let the next save move it aside (not with onDamage: .refuse).
      """),
    Row(
      StoreError(
        .unwritable, .system(step: "write", code: ENOSPC, found: nil), path: "/a/user.json"),
      """
      cannot save '/a/user.json': writing the new file: No space left on device (errno 28). \
      Nothing was changed. Free some space, then set the value again.
      """),
    Row(
      StoreError(
        .unwritable, .system(step: "createTemporary", code: EROFS, found: nil),
        path: "/a/user.json"),
      """
      cannot save '/a/user.json': making the new file beside it: Read-only file system (errno 30). \
      Nothing was changed. Give this user permission to write there, then set the value again.
      """),
    Row(
      StoreError(
        .unwritable, .system(step: "replace", code: EBUSY, found: nil), path: "/a/user.json"),
      """
      cannot save '/a/user.json': putting the new file in its place: Device or resource busy \
      (errno 16). Nothing was changed. A file that is mounted by itself cannot be replaced, and is \
      never written in place: mount its directory instead.
      """),
    Row(
      StoreError(
        .unwritable, .system(step: "syncDirectory", code: EIO, found: nil), path: "/a"),
      """
      cannot save '/a': making its directory safe on the disk: Input/output error (errno 5). \
      The new content is in place, but a power cut may still bring back the old one. \
      Put right what the system says, then set the value again.
      """),
    Row(
      StoreError(.unwritable, .damagedFileStays),
      """
      cannot save the store: its content is damaged, and this backend cannot move it aside. \
      Nothing was changed. Repair it, then call reload().
      """),
    Row(
      StoreError(
        .unwritable, .system(step: "moveAside", code: EIO, found: nil), path: "/a/user.json"),
      """
      cannot save '/a/user.json': moving the damaged file aside: Input/output error (errno 5). \
      Nothing was changed. Put right what the system says, then try again.
      """),
    Row(
      StoreError(
        .unwritable, .system(step: "moveAside", code: EBUSY, found: nil), path: "/a/user.json"),
      """
      cannot save '/a/user.json': moving the damaged file aside: Device or resource busy \
      (errno 16). Nothing was changed. A file that is mounted by itself cannot be replaced, and is \
      never written in place: mount its directory instead.
      """),
    Row(
      StoreError(
        .invalidLocation, .system(step: "findHome", code: ENOENT, found: nil), path: "app"),
      """
      'app' cannot be the place of a store: this user has no home directory. Set HOME or \
      XDG_CONFIG_HOME.
      """),
    Row(
      StoreError(
        .invalidValue, .format(FormatError(.tooDeep)), key: "tree", path: "/a/user.json"),
      """
      cannot store the value of 'tree' in '/a/user.json': it is nested deeper than 128 levels. \
      Nothing was changed, and every other key can still be saved.
      """),
    Row(
      StoreError(.migrationFailed, .migrationInside(name: "one font"), path: "/a/user.json"),
      """
      cannot bring '/a/user.json' to this version: the migration 'one font' opened a store that has \
      to run it. A step has the document that it is given, and no store. It is as it was, and \
      nothing will be saved. Put right what failed, then call reload().
      """),
    Row(
      StoreError(.unwritable, .savedInside(name: "one font"), path: "/a/user.json"),
      """
      cannot save '/a/user.json': its migration 'one font' is running, and would overwrite what is \
      saved meanwhile. Nothing was changed. Have the migration change the document that it is given.
      """),
    Row(
      StoreError(
        .unreadable, .format(FormatError(.unexpectedEnd, line: 2, column: 5)), path: "/a/old.json"),
      """
      cannot read '/a/old.json': it ends in the middle of a value, at line 2, column 5. Nothing will \
      be saved over it. Repair it or take it away, then call reload().
      """),
    Row(
      StoreError(.invalidValue, .value(.sameKey), key: "table"),
      """
      cannot store the value of 'table' in the store: two keys of the dictionary are one and the \
      same for its type. Nothing was changed, and every other key can still be saved.
      """),
    Row(
      StoreError(.invalidLocation, .notAFile, path: "https://example.test/a"),
      """
      'https://example.test/a' cannot be the place of a store: it is not the URL of a file (URL(filePath:) makes one). \
      Choose another path or name.
      """),
    Row(
      StoreError(
        .formatConflict, .alreadyOpen(as: "JSON", wanted: "a property list"), path: "/a"),
      """
      cannot open '/a': it is already open in this program as JSON, and was now to be opened as a \
      property list. Open one file with one format only.
      """),
    Row(StoreError(.unavailable, "The service is not there."), "The service is not there."),
  ]

  @Test(arguments: rows)
  func `an error says what, where, why and what to do`(_ row: Row) {
    #expect(row.error.description == row.sentence)
  }

  @Test func `the load report speaks of every finding, and guesses what was meant`() {
    let backend = MemoryBackend([
      "nmae": .string("Ann"), "age": .string("twelve"), "future": .null,
    ])
    let store = SimpleStore<User>(backend)
    #expect(
      store.loadReport.description == """
        unknown key "nmae"; did you mean "name"?
        unknown key "future"
        no key "name"; the field has its default
        no key "gender"; the field has its default
        no key "tags"; the field has its default
        the value of "age" should be Int and is string; the field has its default
        """)
  }
}
