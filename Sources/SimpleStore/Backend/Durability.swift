import FileSupport

/// What a save that returned survives. In every case, whoever opens the file sees all of a save or
/// nothing of it.
public enum Durability: Sendable {
  /// The end of the process, however it ends. After a power cut the file may be an older one, or
  /// what the file system makes of a file that it had no time to write.
  case processCrash
  /// After a power cut the file is the old one or the new one, never a mix. The content is on the
  /// disk before it takes the place of the old one.
  case consistent
  /// A power cut after the save returned: the file's new name is on the disk too.
  ///
  /// When only that last step fails, the save fails like any other: the store shows the old value,
  /// and no observer is told. But the new content is in the file, where no second write could be
  /// trusted to take it back: the store takes it over when it looks next (a save, `reload()`, a
  /// watch), as something found there, and no save is called done before the step is.
  case durable

  var syncLevel: SyncLevel {
    switch self {
    case .processCrash: .none
    case .consistent: .file
    case .durable: .fileAndDirectory
    }
  }
}
