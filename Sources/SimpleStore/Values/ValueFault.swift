/// Why a value cannot be stored, or was not taken for a field's: the part of an error below the
/// key. The sentences are in `StoreError+Messages.swift`.
package indirect enum ValueFault: Error {
  /// Two keys of a dictionary have the same text.
  case equalKeys
  /// Two keys of a stored dictionary are read as the same key.
  case sameKey
  /// The value is not within the limits of its field.
  case outside(value: String, limits: String)
  /// A key of a plain `Codable` item that its default neither encodes nor asks for, so that it
  /// would not be read again.
  case unknownToDefault
  /// The field's `validate` refused the value.
  case refused
  /// Something is wrong with a field of an item inside the value.
  case nested(key: String, ValueFault)
  /// The encoding of a `Codable` value failed, at this path.
  case encoding(path: [String], message: String)
  /// What a type or a conversion of the user's has thrown.
  case thrown(any Error)

  init(_ error: any Error) { self = error as? ValueFault ?? .thrown(error) }

  /// The error of the user's that is the cause, if one is.
  var thrown: (any Error)? {
    switch self {
    case .thrown(let error): error
    case .nested(_, let fault): fault.thrown
    default: nil
    }
  }
}
