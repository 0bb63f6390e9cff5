import Dashboard
import ReceiptStore
import Subscriptions

extension ReceiptStore {
  /// Returns the selection for a sweep requested in the dashboard.
  func selection(_ request: SweepRequest, at now: Instant) throws(StoreError) -> SweepSelection {
    switch request {
    case .selection(let selection): selection
    case .chains(let chains, let name): .listed(ListedReceipts(try receiptIDs(holding: chains), of: name))
    case .receipts(let ids, let name): .listed(ListedReceipts(ids, of: name))
    case .answering(let question, let name):
      .listed(ListedReceipts(try receiptIDs(question, at: now), of: name))
    }
  }
}
