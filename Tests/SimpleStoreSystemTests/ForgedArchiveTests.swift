import Foundation
import SimpleStore
import TestSupport
import Testing

@testable import SimpleStoreSystem

/// Archives that pass the checksum and are wrong: made by someone who can write the file.
struct ForgedArchiveTests {
  /// Objects of the classes that Foundation archives, and how a field of their class reads data.
  enum Sample: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case array, dictionary, set, orderedSet, countedSet, address, oneRange, manyRanges, indexPath
    case uuid, date, string, number, data, mutableData, locale, dateComponents

    var testDescription: String { rawValue }

    func archive() throws -> Data {
      switch self {
      case .array:
        try Self.archive(
          [
            "a", 3, true, 0.5, Data([1]), ["k": NSDate(), "l": [1, 2]] as NSDictionary,
            NSMutableData(data: Data([1])) as NSData,
          ] as NSArray)
      case .dictionary: try Self.archive(["a": ["b": [1, 2]], "c": "d"] as NSDictionary)
      case .set: try Self.archive(NSSet(array: ["a", "b"]))
      case .orderedSet: try Self.archive(NSOrderedSet(array: ["a", "b"]))
      case .countedSet: try Self.archive(NSCountedSet(array: ["a", "b", "a"]))
      case .address:
        try Self.archive(
          #require(NSURL(string: "a?b", relativeTo: URL(string: "https://example.test/c/"))))
      case .oneRange: try Self.archive(NSIndexSet(indexesIn: NSRange(location: 3, length: 4)))
      case .manyRanges: try Self.archive(NSIndexSet(indexSet: [1, 2, 3, 100, 100_000]))
      case .indexPath: try Self.archive(NSIndexPath(indexes: [1, 2, 3], length: 3))
      case .uuid: try Self.archive(NSUUID())
      case .date: try Self.archive(NSDate(timeIntervalSinceReferenceDate: 0.1))
      case .string: try Self.archive(NSString(string: "abc"))
      case .number: try Self.archive(NSNumber(value: 1.5))
      case .data: try Self.archive(NSData(data: Data([0, 1])))
      case .mutableData: try Self.archive(NSMutableData(data: Data([0, 1])) as NSMutableData)
      case .locale: try Self.archive(NSLocale(localeIdentifier: "de_DE"))
      case .dateComponents: try Self.archive(Self.components())
      }
    }

    private static func components() -> NSDateComponents {
      let components = NSDateComponents()
      components.year = 2026
      return components
    }

    /// Whether an archive was taken for an object.
    func isRead(_ archive: Data) -> Bool {
      switch self {
      case .array: Self.isRead(archive, as: NSArray.self)
      case .dictionary: Self.isRead(archive, as: NSDictionary.self)
      case .set: Self.isRead(archive, as: NSSet.self)
      case .orderedSet: Self.isRead(archive, as: NSOrderedSet.self)
      case .countedSet: Self.isRead(archive, as: NSCountedSet.self)
      case .address: Self.isRead(archive, as: NSURL.self)
      case .oneRange, .manyRanges: Self.isRead(archive, as: NSIndexSet.self)
      case .indexPath: Self.isRead(archive, as: NSIndexPath.self)
      case .uuid: Self.isRead(archive, as: NSUUID.self)
      case .date: Self.isRead(archive, as: NSDate.self)
      case .string: Self.isRead(archive, as: NSString.self)
      case .number: Self.isRead(archive, as: NSNumber.self)
      case .data: Self.isRead(archive, as: NSData.self)
      case .mutableData: Self.isRead(archive, as: NSMutableData.self)
      case .locale: Self.isRead(archive, as: NSLocale.self)
      case .dateComponents: Self.isRead(archive, as: NSDateComponents.self)
      }
    }

    private static func archive<Object: NSObject & NSSecureCoding>(
      _ object: Object
    ) throws -> Data {
      guard case .data(let sealed) = try StoreArchived(object).storeValue,
        let archive = ArchiveSeal.opened(sealed)
      else { throw CocoaError(.coderInvalidValue) }
      return archive
    }

    private static func isRead<Object: NSObject & NSSecureCoding>(
      _ archive: Data, as type: Object.Type
    ) -> Bool {
      guard let value = StoreArchived<Object>(storeValue: .data(ArchiveSeal.sealed(archive))),
        let object = try? value.object  // an error is one of the two right answers
      else { return false }
      // What was let through is whole.
      return object.isEqual(object) && object.description.utf8.count >= 0
    }
  }

  /// How many changes are tried of each sample; `SIMPLESTORE_FORGERIES=100000` for more.
  static let count =
    ProcessInfo.processInfo.environment["SIMPLESTORE_FORGERIES"].flatMap { Int($0) } ?? 400

  @Test(arguments: Sample.allCases)
  func `an archive with a changed field, class or reference is an object or refused, and no trap`(
    _ sample: Sample
  ) async throws {
    #expect(sample.isRead(try sample.archive()))
    let name: String = sample.rawValue
    // In a process of its own: a trap is what is looked for.
    await #expect(processExitsWith: .success) { [name = name as String] in
      guard let sample = Sample(rawValue: name) else { exit(2) }
      var forger = try Forger(sample.archive(), seed: 20_261_130)
      for _ in 0..<ForgedArchiveTests.count { _ = sample.isRead(forger.next()) }
    }
  }

  @Test func `an object inside itself, or deeper than 128, is refused`() throws {
    func nested(_ depth: Int, inItself: Bool) throws -> Data {
      var objects: [StoreValue] = [.string("$null")]
      for level in 1...depth {
        let inner = level < depth ? level + 1 : inItself ? 1 : 0
        objects.append(
          .dictionary([
            "$class": Forger.reference(depth + 1),
            "NS.objects": .array(inner == 0 ? [] : [Forger.reference(inner)]),
          ]))
      }
      objects.append(
        .dictionary([
          "$classname": .string("NSArray"),
          "$classes": .array([.string("NSArray"), .string("NSObject")]),
        ]))
      return try Data(
        BinaryPropertyListFormat().encode([
          "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
          "$top": .dictionary(["root": Forger.reference(1)]), "$objects": .array(objects),
        ]))
    }
    #expect(Sample.array.isRead(try nested(128, inItself: false)))
    #expect(!Sample.array.isRead(try nested(129, inItself: false)))
    #expect(!Sample.array.isRead(try nested(20_000, inItself: false)))
    #expect(!Sample.array.isRead(try nested(1, inItself: true)))
    #expect(!Sample.array.isRead(try nested(50, inItself: true)))
  }
}
