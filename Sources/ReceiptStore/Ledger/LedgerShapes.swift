import GRDB
import Subscriptions

/// A class of positions as the table keeps it.
struct PositionShape: FetchableShape {
  var position: PositionClass

  static let table = "position_classes"
  static let columns = [
    "environment", "state", "product_id", "kind", "auto_renew", "reason", "currency", "is_unseen",
    "is_change_pending", "storefront",
  ]

  func bind(to values: inout some ColumnValues) {
    values.bind(position.environment.rawValue)
    values.bind(position.state.rawValue)
    values.bind(position.product)
    values.bind(position.kind.rawValue)
    values.bind(position.autoRenew)
    values.bind(position.reason?.text)
    values.bind(position.currency)
    values.bind(position.isUnseen)
    values.bind(position.isChangePending)
    values.bind(position.storefront)
  }

  init(position: PositionClass) { self.position = position }

  init?(_ row: FetchedRow) {
    guard let position = Self.position(row, from: 0) else { return nil }
    self.position = position
  }

  /// The expiration intent of a reason, in SQL.
  static func intent(of reason: String) -> String {
    let mark = LossReason.intentMark
    return "iif(\(reason) LIKE '\(mark)%', substr(\(reason), \(mark.count + 1)), NULL)"
  }

  /// Nil where the row names something that there is not.
  static func position(_ row: FetchedRow, from first: Int) -> PositionClass? {
    guard let state = LineState(rawValue: row[first + 1]), let kind = PeriodKind(rawValue: row[first + 3])
    else { return nil }
    return PositionClass(
      environment: StoreEnvironment(row[first] as String), state: state, product: row[first + 2], kind: kind,
      autoRenew: row[first + 4], reason: (row[first + 5] as String?).map(LossReason.init(text:)),
      currency: row[first + 6], isUnseen: row[first + 7], isChangePending: row[first + 8],
      storefront: row[first + 9])
  }
}

/// A class of changes, between classes of positions.
struct ChangeShape: StoredShape {
  var old: Int64?
  var new: Int64
  var flow: Flow?

  static let table = "change_classes"
  static let columns = ["old_position_id", "new_position_id", "flow"]

  func bind(to values: inout some ColumnValues) {
    values.bind(old)
    values.bind(new)
    values.bind(flow?.rawValue)
  }
}

extension LossReason {
  fileprivate static let intentMark = "intent "

  fileprivate var text: String {
    switch self {
    case .intent(let intent): Self.intentMark + intent.rawValue
    case .unknown: "unknown"
    case .refunded: "refunded"
    }
  }

  fileprivate init(text: String) {
    switch text {
    case "refunded": self = .refunded
    case _ where text.hasPrefix(Self.intentMark):
      self = .intent(ExpirationIntent(String(text.dropFirst(Self.intentMark.count))))
    default: self = .unknown
    }
  }
}
