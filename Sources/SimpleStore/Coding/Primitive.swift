/// The types that coders write as one value: Booleans, numbers and texts.
///
/// A protocol of its own, since others (an optional, an array) have a stored form too, but are
/// encoded by their own `encode(to:)`, so that what is wrong inside has a coding path.
protocol Primitive: StoreConvertible {}

extension Bool: Primitive {}
extension Int: Primitive {}
extension Int8: Primitive {}
extension Int16: Primitive {}
extension Int32: Primitive {}
extension Int64: Primitive {}
extension Int128: Primitive {}
extension UInt: Primitive {}
extension UInt8: Primitive {}
extension UInt16: Primitive {}
extension UInt32: Primitive {}
extension UInt64: Primitive {}
extension UInt128: Primitive {}
extension Float: Primitive {}
extension Double: Primitive {}
extension String: Primitive {}

enum PrimitiveForm {
  static func storeValue(of value: Any) -> StoreValue? {
    (value as? any Primitive)?.storeValue
  }
}
