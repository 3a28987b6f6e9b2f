/// Lists the declarations of an item's fields, in order.
struct DeclarationMapper: DictMapper {
  struct Declaration {
    let key: String
    let formerKeys: [String]
    let type: any StoreConvertible.Type
    /// How the default breaks the limits of the field.
    let defaultFault: ValueFault?
  }
  private(set) var fields: [Declaration] = []

  mutating func map<Value: StoreConvertible>(
    _ field: inout Value, key: String, default defaultValue: Value
  ) {
    PlainField.visit(&field, key: key, default: defaultValue, with: &self)
  }

  mutating func visit<Field: StoreField>(_ field: inout Field) {
    var fault: ValueFault?
    field.reset()
    do {
      _ = try field.checkedStoreValue()
    } catch let refusal as ValueFault {
      switch refusal {
      case .outside, .refused: fault = refusal
      // Another default that cannot be stored is left out of saves.
      default: break
      }
    } catch {}
    fields.append(
      Declaration(
        key: field.key, formerKeys: field.formerKeys, type: field.storedType,
        defaultFault: fault))
  }
}
