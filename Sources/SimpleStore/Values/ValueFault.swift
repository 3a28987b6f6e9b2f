/// Why a value cannot be stored, or was not taken for a field's: the part of an error below the
/// key. The sentences are in `StoreError+Messages.swift`.
enum ValueFault: Error, Equatable {
  /// Two keys of a dictionary have the same text.
  case equalKeys
}
