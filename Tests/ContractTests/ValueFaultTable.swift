/// Faults of other libraries that concern values, defaults, keys, migrations and the places of
/// SimpleStoreSystem, by their numbers in the collection that they come from, and the tests that show
/// that they do not happen here.
///
/// Each is tried on every backend that it can happen on: the kinds of `EveryBackend`, which are the
/// formats of files, memory, a backend of the user's own, both forms of UserDefaults, a file for
/// secrets and a secret.
extension ContractTable {
  static let valueFaults: [(id: String, tests: [String])] = [
    (
      "I41",
      [
        "a Boolean is no number, and a number no Boolean",
        "a Boolean, a number and a text are never taken for one another",
      ]
    ),
    (
      "I42",
      [
        "true, 1 and 1.0 come back as three things",
        "true, 1 and 1.0 stay three things, for the store and for plain code",
      ]
    ),
    ("I44", everyValue), ("I45", everyValue), ("I47", everyValue), ("I51", everyValue),
    ("I52", everyValue), ("I53", everyValue),
    (
      "I55",
      [
        "a value is stored as the table says, and read back from there",
        "Foundation finds the same in a property list as in a suite",
        "Python's readers find the same in files of all formats",
        "a file for secrets is a JSON file, and a secret a binary property list",
        "plain code reads what a store saved, in native types",
        "a property list has them as Foundation's types",
        "JSON has them as numbers, texts, lists and objects",
      ]
    ),
    (
      "I56",
      [
        "a file that a released version wrote reads as it was",
        "what a released version left reads as it was",
      ]
    ),
    (
      "I57",
      [
        "what plain code has set is understood, synchronized or not",
        "values that other programs wrote are understood",
      ]
    ),
    ("I59", falsy),
    ("I60", falsy + ["a nil is no null in the suite, and comes back nil"]),
    ("I63", falsy + ["reset brings back defaults that are false, zero, empty or nil"]),
    (
      "I64",
      falsy + [
        "a made default of a Codable item stays once anything is saved",
        "a default that is made is made once, and stays once anything is saved",
      ]
    ),
    ("I65", keys), ("I66", keys),
    (
      "I95",
      [
        "a migration changes a type before the field is read",
        "an old document is read by a new item, saved, and then by an old one",
      ]
    ),
    (
      "I97",
      [
        "a value is there for the next process when the line has returned",
        "killed in the middle of a migration, at opening or in a save, nothing is lost",
      ]
    ),
    (
      "I98",
      [
        "without the client, the bus or the service it is unavailable, and never absent",
        "every answer is told apart, in bounded time",
        "the secret goes through standard input only, and to no file",
      ]
    ),
    (
      "I101",
      [
        "a value of the wrong shape goes when its field is set to nil or reset",
        "a secret that is no document can be removed, and so can the one set aside",
      ]
    ),
    ("I102", everyValue + ["every value reads back equal, to the byte"]),
  ]

  private static let everyValue = ["every value of every type reads back equal"]
  private static let falsy = ["nil and falsy defaults come back, and a made default stays"]
  private static let keys = [
    "every text is a key, none is a path, and each change is told once",
    "a key may be long, or is refused with a sentence",
  ]
}
