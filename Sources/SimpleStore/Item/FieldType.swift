#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The type of a ``StoreParam`` field, as ``ItemLayout`` remembers it.
///
/// The commonest have a case of their own: through ``native(_:)`` the run time looks up the layout
/// of the field's type at each visit, half the cost of a walk.
enum FieldType: Sendable {
  case string, integer, bool, double, optionalString, date, data, strings, integers, texts
  /// The value itself can be stored, unless the field says otherwise.
  case native(any NativeParam.Type)
  /// The value is stored as another type.
  case converted(any MappedParam.Type)

  init(of param: any MappedParam) {
    self =
      switch param {
      case is StoreParam<String>: .string
      case is StoreParam<Int>: .integer
      case is StoreParam<Bool>: .bool
      case is StoreParam<Double>: .double
      case is StoreParam<String?>: .optionalString
      case is StoreParam<Date>: .date
      case is StoreParam<Data>: .data
      case is StoreParam<[String]>: .strings
      case is StoreParam<[String: Int]>: .integers
      case is StoreParam<[String: String]>: .texts
      case let param as any NativeParam: .native(type(of: param))
      default: .converted(type(of: param))
      }
  }

  /// Shows the field of this type that is at a place to a mapper.
  @inline(__always)
  func show<Mapper: DictMapper>(_ place: UnsafeMutableRawPointer, to mapper: inout Mapper) {
    switch self {
    case .string: StoreParam<String>.mapNative(at: place, with: &mapper)
    case .integer: StoreParam<Int>.mapNative(at: place, with: &mapper)
    case .bool: StoreParam<Bool>.mapNative(at: place, with: &mapper)
    case .double: StoreParam<Double>.mapNative(at: place, with: &mapper)
    case .optionalString: StoreParam<String?>.mapNative(at: place, with: &mapper)
    case .date: StoreParam<Date>.mapNative(at: place, with: &mapper)
    case .data: StoreParam<Data>.mapNative(at: place, with: &mapper)
    case .strings: StoreParam<[String]>.mapNative(at: place, with: &mapper)
    case .integers: StoreParam<[String: Int]>.mapNative(at: place, with: &mapper)
    case .texts: StoreParam<[String: String]>.mapNative(at: place, with: &mapper)
    case .native(let type): type.mapNative(at: place, with: &mapper)
    case .converted(let type): type.mapConverted(at: place, with: &mapper)
    }
  }
}

/// A field of some type, as the layout sees it.
protocol MappedParam: SendableMetatype {
  var key: String { get }
  var stamp: UInt64 { get }
  static func mapConverted<Mapper: DictMapper>(
    at place: UnsafeMutableRawPointer, with mapper: inout Mapper)
}

/// A field whose value can be stored. A protocol of its own, since a type cannot conform to one
/// protocol in two ways.
protocol NativeParam: SendableMetatype {
  static func mapNative<Mapper: DictMapper>(
    at place: UnsafeMutableRawPointer, with mapper: inout Mapper)
}

// In both the memory is bound to this type: it is the stored property of the item.
extension StoreParam: MappedParam {
  static func mapConverted<Mapper: DictMapper>(
    at place: UnsafeMutableRawPointer, with mapper: inout Mapper
  ) {
    mapper.map(converted: &place.assumingMemoryBound(to: Self.self).pointee)
  }
}

extension StoreParam: NativeParam where Value: StoreConvertible {
  static func mapNative<Mapper: DictMapper>(
    at place: UnsafeMutableRawPointer, with mapper: inout Mapper
  ) {
    mapper.map(&place.assumingMemoryBound(to: Self.self).pointee)
  }
}
