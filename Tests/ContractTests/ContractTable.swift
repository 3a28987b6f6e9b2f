/// What the store promises, and the tests that show it.
///
/// `ContractTableTests` fails when a promise has no test, or names one that does not exist.
enum ContractTable {
  struct Row: Sendable {
    let promise: String
    let tests: [String]

    init(_ promise: String, _ tests: String...) {
      self.promise = promise
      self.tests = tests
    }
  }

  static let rows: [Row] = [
    Row(
      "Call returned, process killed: the new value is read by the next process.",
      "a killed process leaves every save that it told of, whole, and nothing else",
      "a file that is not there is made by the first save, with its directories"),
    Row(
      "Killed inside the call: old or new.",
      "whatever happens to the system calls of a process, the next one finds old or new",
      "a killed process leaves every save that it told of, whole, and nothing else"),
    Row(
      "Power cut: as the durability says.",
      "a power cut leaves old or new", "a durable save that returned survives a power cut",
      "the model sees what a save without synchronizing risks",
      "the system calls of a process are those that the promises need",
      "a save whose directory could not be synchronized is not called done by the next one"),
    Row(
      "Opening, reading, closing never writes: bytes and time unchanged, no lock file.",
      "opening, reading and closing write nothing",
      "the system calls of a process are those that the promises need"),
    Row(
      "File absent: defaults; the first save creates it.",
      "nothing there means defaults, and opening makes nothing",
      "a file that is not there is made by the first save, with its directories"),
    Row(
      "0 bytes or only white space: nothing to lose, defaults, the next save writes a full file.",
      "a hostile file is a value, empty or damaged, and no byte of it is lost"),
    Row(
      "Damaged: defaults, moved aside by the first save or refused; its bytes are never lost.",
      "a hostile file is a value, empty or damaged, and no byte of it is lost",
      "however often a file is damaged, all damaged bytes are kept",
      "a damaged file that cannot be moved aside is not saved over",
      "damaged content is moved aside by the first save, or refused",
      "content that cannot be moved aside is not saved over"),
    Row(
      "Not permitted, an I/O error, a directory, FIFO or device: failed, never empty, never blocks.",
      "what is no file is neither read nor waited for nor replaced",
      "a file that cannot be read now is never taken for an empty one",
      "a file that may not be read is an error, and is not saved over",
      "an unreadable store serves defaults and refuses every save until reload succeeds"),
    Row(
      "A key of another type, an unknown enum case: default, reported, stays until it is set.",
      "a value of another type costs that field only, and stays until it is set"),
    Row(
      "A number that fits less than exactly is of another type; a Boolean is never a number.",
      "a Boolean is never a number, and a number only what it is exactly",
      "a number is taken only by a type that holds it exactly"),
    Row(
      "Unknown keys are kept, exact and in order.",
      "unknown keys travel through a save, exact and in their places",
      "an edit by hand stays, and only the key that is set changes"),
    Row(
      "Duplicate keys: the last wins, in every format.",
      "the last of duplicate keys counts, in the place of the first",
      "a hostile file is a value, empty or damaged, and no byte of it is lost"),
    Row(
      "Null is nil for an optional, else the default; nil over a default is stored.",
      "null is nil for an optional and the default for others",
      "nil set over a default comes back nil, and reset brings the default"),
    Row(
      "The same value again, a batch that changes nothing: no write.",
      "nothing is saved when nothing changes", "setting a value again writes nothing",
      "opening, reading and closing write nothing"),
    Row(
      "Two threads, a thousand tasks: nothing is lost, nobody sees half a change.",
      "threads lose no increment", "two processes of eight threads count to exactly the sum",
      "readers, writers and reloads on four threads see no half of a change",
      "everything at once on one file ends with exactly the sum"),
    Row(
      "A closure throws: nothing changed anywhere, the error is rethrown.",
      "a closure that throws changes nothing"),
    Row(
      "Calls to the same store from inside a batch work.",
      "a store can be used from inside its own batch"),
    Row(
      "Two processes: no update of different keys is lost, a batch is a transaction.",
      "two processes that set 500 keys each, ten times, lose none",
      "two processes of eight threads count to exactly the sum",
      "a save waits for the batch of another process, and both stay",
      "a killed holder of the lock keeps nobody waiting"),
    Row(
      "Edited by hand or by another program: picked up by the next save and by reload.",
      "an edit by hand stays, and only the key that is set changes",
      "what another process saved meanwhile stays, and is read",
      "what others have changed is seen at the next save and at reload"),
    Row(
      "File deleted while running: the next save writes everything known.",
      "a file that is deleted while the program runs is written again, whole"),
    Row(
      "Directory moved or deleted while running: looked up anew, created again.",
      "a directory that is deleted or moved while the program runs is made again"),
    Row(
      "Disk full, quota, read-only: typed error, old file as it was, no temporary file, works again.",
      "whatever system call fails, the file is old or new and the error says which",
      "a disk that is full refuses saves, and takes them when there is room again",
      "a file system of 64 KB that is full keeps the old file",
      "a file that may not grow leaves the old one, and saves go on when it may",
      "a read-only directory can be read, refuses saves, and works again afterwards",
      "ten thousand failing saves use nothing up"),
    Row(
      "Read-only target: the save is refused, the mode stays.",
      "a read-only file refuses saves, and keeps its mode"),
    Row(
      "Bind-mounted file: an error that says why, never rewritten in place.",
      "a file that is a mount of its own says why it cannot be replaced",
      "a rename that is refused because of a mount says why"),
    Row(
      "Hard link: the other name keeps the old content.",
      "another name of the file keeps the old content"),
    Row(
      "Deep nesting, self-reference, bombs, external entities, huge files: a typed error, fast.",
      "deep nesting is an error, fast, in every format",
      "a value nested too deep fails its call, and every other key still saves",
      "a file of three gigabytes is refused without being read",
      "a hostile file is a value, empty or damaged, and no byte of it is lost"),
    Row(
      "Every truncation and single-byte change: a value or an error; the bytes are kept.",
      "any change to a file gives a value or an error, and its bytes are kept",
      "no damage to a file traps or hangs the reader"),
    Row(
      "Every text and every key round-trips exactly, or the declaration is refused.",
      "extreme documents read back equal and are written the same again",
      "two keys that are equal, and an empty one, are all reported",
      "keys that Unicode calls equal are two keys"),
    Row(
      "However it is built, it behaves the same: what depends on how bytes and threads meet.",
      "any change to a file gives a value or an error, and its bytes are kept",
      "readers, writers and reloads on four threads see no half of a change",
      "everything at once on one file ends with exactly the sum"),
    Row(
      "One core for a file, however its path is spelled and whatever the item.",
      "spellings of one path are one file", "what one store saves another reads at once",
      "one file cannot be open in two formats"),
    Row(
      "A symbolic link stays, and its target is replaced.",
      "a symbolic link stays, and what it points to is replaced"),
    Row(
      "At no instant is content readable by more people than before.",
      "a file is never readable by more people than before, in a thousand saves",
      "a new file and its directories are its owner's only, whatever the umask",
      "what lies at the name of the temporary file is not written through",
      "what lies at the name of the lock is not followed, written or waited for"),
    Row(
      "Observers: after the save, outside locks, in order, once per change; only what is on disk.",
      "an observer may change the store",
      "every observer sees every change in the order of the saves",
      "an observer that cancels itself is not called again",
      "an observer that is added by another one sees the next change",
      "a change inside a batch of another store is told after the batch",
      "what a store imports is seen by others when it is stored",
      "what changes no value is not announced", "what is not saved is not announced"),
    Row(
      "Hand edit or other program while running: picked up by the watcher.",
      "what programs do to a file is seen with the right keys",
      "what plutil does to a file is seen with the right keys",
      "a property list that Foundation writes anew, as plutil does, is seen with the right keys",
      "a thousand edits of another process arrive within 100 ms, the last one always",
      "a damaged file is passed over, the next whole one is announced",
      "the store's own saves are not reported",
      "an edit by another program during a batch is kept"),
    Row(
      "Nothing is used up: memory, descriptors, directory entries.",
      "ten thousand failing saves use nothing up",
      "ten thousand readings of a damaged file use nothing up"),
  ]
}
