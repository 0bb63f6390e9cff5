import GRDB
import Subscriptions

/// A set of rows behind some of a panel's figures, as SQL that names the figures of each row.
struct FigureRowSource {
  /// Selects the columns of `FigureRowSource.columns`, then those that the reason is made of.
  var sql: String
  /// Says why, from the columns after the common ones.
  var why: (FetchedRow) -> String
  /// What Apple leaves of the amount.
  var proceeds: (FetchedRow) -> Money? = { _ in nil }
  /// What the amount was prorated from.
  var proration: (FetchedRow) -> Proration? = { _ in nil }

  /// Stands around and between the names of figures: no product, period or reason holds it.
  static let mark = "\u{1F}"

  /// Names in SQL: literals, or expressions in parentheses.
  static func names(_ names: String...) -> String { Self.names(names) }

  static func names(_ names: [String]) -> String {
    "'\(mark)' || "
      + names.map { ($0.hasPrefix("(") ? $0 : "'\($0)'") + " || '\(mark)'" }.joined(separator: " || ")
  }

  /// A further name where a condition holds.
  static func name(_ name: String, if condition: String) -> String {
    "iif(\(condition), '\(name)\(mark)', '')"
  }

  /// The names that a source gave a row.
  static func split(_ figures: String) -> [String] {
    figures.split(separator: Character(mark)).map(String.init)
  }

  /// What every source selects before its reason, in this order.
  static let columns = [
    "figures", "environment", "original_transaction_id", "subscription_group_id", "chain_id",
    "transaction_id",
    "product_id", "kind", "state", "at_ms", "amount_micros", "currency",
  ]

  /// The first column of the reason.
  static let reason = columns.count

  func figureRow(_ row: FetchedRow, user: AppUserID?) -> FigureRow {
    let group: String? = row[3]
    var counted = FigureRow(
      Self.split(row[0]),
      environment: StoreEnvironment(row[1] as String), chain: row[2],
      group: group.flatMap { $0.isEmpty ? nil : SubscriptionGroupID($0) }, user: user, transaction: row[5],
      product: row[6], kind: row[7], state: row[8], at: row[9], amount: row.money(micros: 10, currency: 11),
      proceeds: proceeds(row), why: why(row))
    counted.proration = proration(row)
    return counted
  }
}

extension StoreQuery {
  /// The rows behind a panel's figures: the counterpart of `Population.rows(_:figure:)`.
  func figureRows(_ figure: String?) throws -> FigureRows {
    if let groups = question.panel.declaredFigures {
      return try ledger.rows(behind: figure, of: groups, question, catalog: catalog)
    }
    let standing = try ledger.rows(
      behind: figure, of: PanelCounting(question.panel), question, catalog: catalog)
    var (count, rows) = (standing.count, standing.rows)
    for source in rowsOfFacts {
      let matching = """
        FROM (\(source.sql)) AS f
        WHERE figures <> ''\(figure == nil ? "" : " AND instr(figures, :figure) > 0")
        """
      var arguments = self.arguments
      if let figure { arguments += ["figure": FigureRowSource.mark + figure + FigureRowSource.mark] }
      count += try Int.fetchOne(db, sql: "SELECT count(*) \(matching)", arguments: arguments) ?? 0
      let found = try FetchedRow.fetchAll(
        db,
        sql: """
          SELECT f.*, (
            SELECT q.app_user_id FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
            WHERE k.chain_id = f.chain_id AND q.app_user_id <> ''
            ORDER BY \(Self.idOrder("q.app_user_id")) LIMIT 1) AS app_user_id
          \(matching)
          ORDER BY at_ms DESC, \(Self.idOrder("original_transaction_id")), \(Self.idOrder("transaction_id")) LIMIT :limit
          """, arguments: arguments)
      rows += found.map { source.figureRow($0, user: $0["app_user_id"]) }
    }
    return FigureRows(
      count: count, rows: Array(rows.sorted(by: FigureRow.inOrder).prefix(question.limit)))
  }

  /// The rows of what is no balance of positions and no flow between them, each of them once.
  private var rowsOfFacts: [FigureRowSource] {
    switch question.panel {
    case .overview:
      [
        dueLines, dueRows, endedTrials, arrivedRows,
        refundedRows(
          FigureRowSource.names("refunds") + " || "
            + FigureRowSource.name("refund_amount", if: "x.price_micros IS NOT NULL")),
        cohortRows,
        upgradedRows(
          "iif(x.prorated_refund_micros IS NULL, '', \(FigureRowSource.names("prorated_refund")))"),
        soldRows,
      ]
    case .churn: [dueRows, endedTrials, arrivedRows]
    case .refunds: [refundedRows(Self.refundNames), cohortRows, oneTimeRefundRows]
    case .upgrades: [upgradedRows(Self.upgradeNames), undatedRows, changedRows]
    case .active, .billingRetry, .events, .movement: []
    }
  }
}
