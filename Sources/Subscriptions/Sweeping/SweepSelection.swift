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
    }
  }
}
