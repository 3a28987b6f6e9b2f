/// Faults of other libraries that concern observers and changes in one process, by their numbers in
/// the collection that they come from, and the tests that show that they do not happen here.
///
/// Each is tried on every backend: `LiveLaws` has a law for each number, which runs on the kinds of
/// `BackendKind`, on suites of defaults, on a file for secrets and on a secret.
extension ContractTable {
  private static let laws = [
    "a live store keeps the laws", "a live store in a suite of defaults keeps the laws",
    "a live store in a file for secrets keeps the laws", "a live store in a secret keeps the laws",
  ]

  static let knownFaults: [(id: String, tests: [String])] = [
    (
      "I69",
      laws + [
        "an observer may change the store",
        "an observer may wait for a thread that writes to the store of the batch",
      ]
    ),
    (
      "I71",
      laws + [
        "an observer that cancels itself is not called again",
        "an observer that is cancelled by another one is not called",
        "taking the first value only ends it",
      ]
    ),
    ("I72", laws + ["there is one first call if it is wanted, and none if not"]),
    ("I73", laws + ["a batch is one change and one call for each changed key"]),
    ("I74", laws + ["what changes no value is not announced"]),
    (
      "I76",
      laws + [
        "an observer of a field hears of no other key",
        "another default of the suite makes no call",
      ]
    ),
    ("I77", laws + ["the store has the new value when an observer is called"]),
    (
      "I79",
      laws + [
        "a hundred tasks lose nothing, and after each chain a new store reads the same",
        "two processes of eight threads count to exactly the sum",
      ]
    ),
    (
      "I82",
      laws + [
        "a hundred tasks lose nothing, and after each chain a new store reads the same",
        "a closure that throws changes nothing", "what is not saved is not announced",
      ]
    ),
  ]
}
