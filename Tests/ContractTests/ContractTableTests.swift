import Foundation
import TestSupport
import Testing

@Suite struct ContractTableTests {
  /// The names of all test functions of the package, read from its sources.
  private static func testNames() throws -> Set<String> {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    var names: Set<String> = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: tests.systemPath)
    where path.hasSuffix(".swift") {
      // `@Test`, whatever arguments and line ends, and then the name between backticks.
      var rest = try tests.appending(path: path).text[...]
      while let attribute = rest.range(of: "@Test") {
        rest = rest[attribute.upperBound...]
        guard let start = rest.range(of: "func `"),
          let end = rest[start.upperBound...].firstIndex(of: "`")
        else { break }
        names.insert(String(rest[start.upperBound..<end]))
      }
    }
    return names
  }

  @Test func `every promise has tests, and they exist`() throws {
    let names = try Self.testNames()
    #expect(names.count > 100)
    for row in ContractTable.rows + ContractTable.cacheRows + ContractTable.cacheFaults {
      #expect(!row.tests.isEmpty, "\(row.promise)")
      for test in row.tests {
        #expect(names.contains(test), "\(row.promise): there is no test \(test)")
      }
    }
  }

  @Test func `every known fault of observers has tests, and they exist`() throws {
    let names = try Self.testNames()
    for fault in ContractTable.knownFaults {
      for test in fault.tests {
        #expect(names.contains(test), "\(fault.id): there is no test \(test)")
      }
    }
    // A law for each, in the same order.
    #expect(
      LiveLaws.all.map { $0.description.prefix { $0 != ":" } }
        == ContractTable.knownFaults.map { $0.id[...] })
  }

  @Test func `every known fault of values has tests, and they exist`() throws {
    let names = try Self.testNames()
    for fault in ContractTable.valueFaults {
      #expect(!fault.tests.isEmpty, "\(fault.id)")
      for test in fault.tests {
        #expect(names.contains(test), "\(fault.id): there is no test \(test)")
      }
    }
    #expect(Set(ContractTable.valueFaults.map(\.id)).count == 22)
  }

  @Test func `no promise stands in the table twice`() {
    #expect(Set(ContractTable.rows.map(\.promise)).count == ContractTable.rows.count)
    #expect(ContractTable.rows.count > 30)
  }
}
