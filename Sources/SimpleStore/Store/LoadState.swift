/// What a store found when it was opened or last reloaded; saves since do not change it.
public enum LoadState: Sendable {
  /// Nothing: the fields have their defaults, and the first save makes the file.
  case absent
  /// A document.
  case loaded
  /// Something that is no document of the store's format. The fields have their defaults; the
  /// first save moves the file aside (``DamagePolicy/moveAside``) and names it in
  /// ``LoadReport/damagedFile``.
  case damaged(StoreError)
  /// It could not be read, or is damaged and the policy is ``DamagePolicy/refuse``. The fields
  /// have their defaults, and every save is refused with this error until
  /// ``SimpleStore/reload()`` succeeds.
  case failed(StoreError)
}

/// What a store does with content that is damaged. In no case are its bytes overwritten.
public enum DamagePolicy: Sendable {
  /// The first save moves it to `NAME.damaged-TIME` beside the file; if it cannot be moved, the
  /// save fails.
  case moveAside
  /// Every save is refused until the file has been repaired and ``SimpleStore/reload()`` succeeds.
  case refuse
}

/// Whether a save writes the fields that have their defaults.
public enum DefaultsPolicy: Sendable {
  /// Every field is written, so that the file shows what can be set.
  case written
  /// Only fields that differ from their default, or were in the file already, are written.
  case omitted
}
