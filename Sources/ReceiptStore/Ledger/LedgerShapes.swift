import GRDB
import Subscriptions

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

  init?(_ row: BoundStatement.Columns) {
    guard let state: LineState = row.value(1), let kind: PeriodKind = row.value(3),
      let product: ProductID = row.text(2)
    else { return nil }
    position = PositionClass(
      environment: StoreEnvironment(row.text(0) ?? ""), state: state, product: product, kind: kind,
      autoRenew: row.flag(4), reason: row.text(5).map(LossReason.init(text:)), currency: row.text(6),
      isUnseen: row.isTrue(7), isChangePending: row.isTrue(8), storefront: row.text(9))
  }

  static func intent(of reason: String) -> String {
    let mark = LossReason.intentMark
    return "iif(\(reason) LIKE '\(mark)%', substr(\(reason), \(mark.count + 1)), NULL)"
  }
}

struct ChangeShape: FetchableShape {
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

  init(old: Int64?, new: Int64, flow: Flow?) { (self.old, self.new, self.flow) = (old, new, flow) }

  init(_ row: BoundStatement.Columns) { (old, new, flow) = (row.number(0), row[1], row.value(2)) }
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
