public enum SweepSelection: Hashable, Sendable {
  case due
  /// All receipts that have not been given up.
  case all
  /// Receipts that are never due again, for another try.
  case dead
  case user(AppUserID)
  case receipt(ReceiptID)
  case chain(OriginalTransactionID)
  /// Receipts chosen from a list.
  case listed(ListedReceipts)
}

public struct ListedReceipts: Hashable, Sendable {
  public let ids: [ReceiptID]
  /// Description of the list: `billing-retry is_retrying /product:gold`.
  public let name: String

  public init(_ ids: some Sequence<ReceiptID>, of name: String) {
    self.ids = Set(ids).sorted()
    self.name = name
  }
}

extension SweepSelection: CustomStringConvertible {
  /// Text stored with the sweep.
  public var description: String {
    switch self {
    case .due: "due"
    case .all: "all"
    case .dead: "dead"
    case .user(let user): "user \(user)"
    case .receipt(let id): "receipt \(id.rawValue)"
    case .chain(let id): "chain \(id)"
    case .listed(let receipts): "\(receipts.ids.count) of \(receipts.name)"
    }
  }
}
