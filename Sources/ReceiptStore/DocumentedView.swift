import GRDB

/// A view as its users see it.
package struct DocumentedView: Sendable {
  package let name: String
  /// What one row of it is.
  package let meaning: String
  package let columns: [String]
}

extension ReceiptStore {
  /// The documented views, as SQLite tells them of a store.
  package static func documentedViews() throws -> [DocumentedView] {
    try DatabaseQueue().write { db in
      try Schema.makeTables(in: db)
      return try Views.documented.map { view in
        DocumentedView(
          name: view.name, meaning: view.meaning, columns: try db.columns(in: view.name).map(\.name))
      }
    }
  }
}
