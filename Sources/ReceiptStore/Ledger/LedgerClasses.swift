import GRDB
import Subscriptions
import Synchronization

/// Cache of the classes of changes by number. Numbers are never reassigned, so entries stay valid.
final class LedgerClasses: Sendable {
  struct Known {
    var changes = NumberedClasses<ChangeClass>()
    var positions: [Int64: PositionClass] = [:]
    fileprivate var lastPosition = 0
    /// Numbers of the classes of changes that keep the position, by the position's number.
    var renewals: [Int64: Int] = [:]
  }

  private let known = Mutex(Known())

  func read(_ db: Database) throws -> Known {
    try known.withLock { known in
      try PositionShape.forEach(after: known.lastPosition, db) { number, shape in
        known.positions[number] = shape.position
        known.lastPosition = Int(number)
      }
      try ChangeShape.forEach(after: known.changes.last, db) { number, shape in
        // Changes share their positions, so that comparing two positions mostly compares references.
        guard let new = known.positions[shape.new] else { return }
        let kind = ChangeClass(
          old: shape.old.flatMap { known.positions[$0] }, new: new, flow: shape.flow)
        known.changes.put(kind, at: Int(number))
        if kind.flow == nil, kind.old == new { known.renewals[shape.new] = Int(number) }
      }
      return known
    }
  }
}

struct NumberedClasses<Class: Sendable>: Sendable {
  /// `nil` for unused numbers.
  private(set) var classes: [Class?] = []
  /// Whether a number is used. Read for every sum, it avoids retaining the class.
  private var isThere: [Bool] = []

  /// Largest gap between numbers. SQLite assigns them consecutively, so a larger number means a damaged file.
  static var mostMissing: Int { 100_000 }

  mutating func put(_ kind: Class, at number: Int) {
    guard number >= 0, number - Self.mostMissing < classes.count else { return }
    while number >= classes.count {
      classes.append(nil)
      isThere.append(false)
    }
    (classes[number], isThere[number]) = (kind, true)
  }

  subscript(number: Int64) -> Class? { holds(number) ? classes[Int(number)] : nil }

  func holds(_ number: Int64) -> Bool {
    number >= 0 && number < isThere.count && isThere[Int(number)]
  }

  /// Greatest number; -1 if there is none.
  var last: Int { classes.count - 1 }
}

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
