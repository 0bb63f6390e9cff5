import GRDB

package struct DocumentedView: Sendable {
  package let name: String
  /// Short description of one row.
  package let meaning: String
  package let columns: [String]
}

extension ReceiptStore {
  /// Returns the documented views with their columns, read from an empty store in memory.
  package static func documentedViews() throws -> [DocumentedView] {
    try DatabaseQueue().write { db in
      try Schema.makeTables(in: db)
      return try Schema.documentedViews.map { name, meaning in
        DocumentedView(name: name, meaning: meaning, columns: try db.columns(in: name).map(\.name))
      }
    }
  }
}
