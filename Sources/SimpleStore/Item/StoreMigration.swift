/// One step from the documents of an earlier version of the program to those of the next.
///
/// ```swift
/// struct Settings: StoreItem {
///   @StoreParam(key: "font", default: [:]) var font: [String: Int]
///
///   static let migrations = [
///     StoreMigration("font in one place") { document in
///       guard let size = document["fontSize"] else { return }
///       document["font"] = .dictionary(["size": size])
///       document["fontSize"] = nil
///     }
///   ]
/// }
/// ```
///
/// ## What is promised
///
/// * Steps run in order, before fields are read, each once for a document: their names are stored
///   with it, under the key `$migrations`, which no field can have, no assignment of an item
///   removes, and no ``LoadReport`` names.
/// * Opening writes nothing. Until the first save the steps run in memory, each time the document
///   is read, so a step may depend on the document only. The first save writes the outcome of all
///   steps, their names and the change itself as one; a program that is killed before has changed
///   nothing. Processes take turns: whoever comes second finds the names.
/// * A step that throws leaves the store as it was, with ``LoadState/failed(_:)``: the fields have
///   their defaults, and nothing is saved until ``SimpleStore/reload()`` succeeds.
/// * A step belongs to the document: it sees all keys, also those of other items that are stored
///   in it. Two items of one place that list a step with the same name have it run once, whichever
///   is saved first; two different steps must have different names. A step may be given a document
///   that never had what it looks for.
/// * Where there is nothing, nothing is migrated: the first save notes the steps as done.
/// * A document from a newer version of the program is read as it is, and its names stay.
///
/// A step has its document and no store: one that it opens on the same place is refused the step, and
/// nothing that is set there is saved, with an error that says so.
///
/// Only the migrations of a store's own item run, not those of items inside it. For a key that was
/// only renamed, `formerly:` is enough.
public struct StoreMigration: Sendable {
  /// The name under which it is noted as done. Never change it, nor use it twice.
  public let name: String
  private let step: @Sendable (inout StoreDocument) throws -> Void

  /// A step.
  ///
  /// - Parameters:
  ///   - name: A name that no other migration of the document has, now or later.
  ///   - step: Changes a copy of the document.
  public init(_ name: String, _ step: @escaping @Sendable (inout StoreDocument) throws -> Void) {
    self.name = name
    self.step = step
  }

  func apply(to document: inout StoreDocument) throws(StoreError) {
    do {
      try step(&document)
    } catch {
      throw StoreError(.migrationFailed, .migration(name: name, error), underlying: error)
    }
  }
}
