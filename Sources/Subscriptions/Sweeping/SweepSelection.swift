/// Which receipts a sweep takes.
public enum SweepSelection: Hashable, Sendable {
  /// Those whose next check has come.
  case due
  /// Every one that can still be asked about.
  case all
  /// Those that are not asked about any more, to be given another chance.
  case dead
  case user(AppUserID)
  case receipt(ReceiptID)
  /// Those that hold a chain.
  case chain(OriginalTransactionID)
  /// Those of a list that somebody chose from.
  case listed(ListedReceipts)
}

/// Receipts that were chosen one by one, or as all that a list shows.
public struct ListedReceipts: Hashable, Sendable {
  /// In their order, each once.
  public let ids: [ReceiptID]
  /// What they are of: `billing-retry is_retrying /product:gold`.
  public let name: String

  public init(_ ids: some Sequence<ReceiptID>, of name: String) {
    self.ids = Set(ids).sorted()
    self.name = name
  }
}

extension SweepSelection: CustomStringConvertible {
  /// As it is kept with the sweep.
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
