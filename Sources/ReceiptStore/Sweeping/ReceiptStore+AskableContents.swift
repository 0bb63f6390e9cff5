import GRDB
import Subscriptions

/// What there is to ask with about the customers of an app that are not given up.
public struct AskableContents: Hashable, Sendable {
  /// Nil where it is not known yet.
  public var bundleID: BundleID?
  /// Those with a receipt, which a shared secret or a key asks with.
  public var receipts: Int
  /// Those of which there is an id alone, which a key asks with.
  public var idsAlone: Int
}

extension [AskableContents] {
  /// - Parameter app: nil is not known yet, and may be any.
  public func hasReceipt(of app: BundleID?) -> Bool {
    contains { ($0.bundleID == app || app == nil) && $0.receipts > 0 }
  }
}

extension ReceiptStore {
  /// By app. Looks at every receipt.
  public func askableContents() throws(StoreError) -> [AskableContents] {
    try read("list what there is to ask with") { db in
      try FetchedRow.fetchAll(
        db,
        sql: """
          WITH askable AS (
            SELECT bundle_id, EXISTS (SELECT 1 FROM receipt_contents c WHERE c.receipt_id = q.id)
              OR EXISTS (SELECT 1 FROM latest_receipts l WHERE l.receipt_id = q.id) AS has_receipt
            FROM receipts q WHERE has_contents = 1 AND dead_reason IS NULL)
          SELECT bundle_id, SUM(has_receipt), SUM(NOT has_receipt) FROM askable
          GROUP BY bundle_id ORDER BY bundle_id
          """
      ).map { row in
        try AskableContents(
          bundleID: (row[0] as String?).map { BundleID($0) }, receipts: row[1], idsAlone: row[2])
      }
    }
  }
}
