import Screen
import Subscriptions

extension ReceiptQuestion {
  /// Returns the name of the list of receipts.
  ///
  /// - Parameter sweeps: Known sweeps, to look up the time of one.
  func name(in formatter: DisplayFormatter, sweeps: [SweepRecord]) -> String {
    func of(_ reason: String?) -> String { reason.map { ": \($0)" } ?? "" }
    switch self {
    case .due(0, nil): return "Due receipts"
    case .due(let from, let until):
      return "Receipts due for \(QueueReport.span(from: from, to: until))"
    case .dueSoon: return "Receipts due in 24 h"
    case .dueLater: return "Receipts due later"
    case .failed(let reason): return "Receipts to be tried again" + of(reason)
    case .setAside(let reason): return "Receipts asked about rarely" + of(reason)
    case .dead(let reason): return "Given-up receipts" + of(reason)
    case .inProgress: return "Receipts in progress"
    case .status(let status, let since):
      return "Receipts with status \(status)" + (since == nil ? "" : " since the sweep began")
    case .ofSweep(let id):
      let record = sweeps.first { $0.id == id }
      return "Sweep of \(record.map { formatter.minute($0.startedAtMs) } ?? "number \(id)")"
    }
  }

  fileprivate var emptyText: String {
    switch self {
    case .ofSweep: "None with news or trouble is kept."
    default: "There is no such receipt any more."
    }
  }

  /// Number of receipts. A sweep only keeps those with changes or failures, so none is "none listed".
  fileprivate func words(for count: Int) -> String {
    if case .ofSweep = self, count == 0 { return "none listed" }
    return CountText.of(count, "receipt")
  }
}

extension ReceiptLines {
  /// Returns the list of receipts. Enter opens the chains of a receipt.
  func block(named name: String, at now: Instant, in formatter: DisplayFormatter) -> Block {
    let columns = ReceiptColumn.all.filter { column in
      column.isPresent.map { rows.contains(where: $0) } ?? true
    }
    let listed = rows.map { row in
      Listing.Row(
        id: "\(row.id)", columns.map { $0.cell(row, now, formatter) }, drillDown: .receipt(row.id),
        note: row.why)
    }
    let listing = Listing(
      columns.map { $0.column.meaning($0.meanings(formatter)) }, listed,
      total: count, emptyText: question.emptyText, in: formatter.glyphs)
    return Block(
      [TextSpan(name, .heading), TextSpan(": \(question.words(for: count))", .strong)],
      .listing(listing), span: .main)
  }
}

private struct ReceiptColumn: Sendable {
  let column: ListingColumn
  /// Whether a row has content in the column. The column is left out if none has; `nil` always shows it.
  var isPresent: (@Sendable (ReceiptLine) -> Bool)?
  var meanings: @Sendable (DisplayFormatter) -> [String: String] = { _ in [:] }
  let cell: @Sendable (ReceiptLine, Instant, DisplayFormatter) -> StyledText

  static let all = [receipt, swept, user, chain, product, status, why, checked, next]

  private static let receipt = ReceiptColumn(column: .number("Receipt")) { row, _, _ in
    StyledText("\(row.id)")
  }
  private static let swept = ReceiptColumn(
    column: .whole("What").named("what"), isPresent: { $0.swept != nil }
  ) { row, _, formatter in
    switch row.swept {
    case .changed?: StyledText("changed", .good)
    case .later?: StyledText("for later", .warn)
    case .rejected?: StyledText("given up", .bad)
    case nil: .dash(in: formatter.glyphs)
    }
  }
  private static let user = ReceiptColumn(
    column: .id("App user", most: 36, priority: 4)
  ) {
    row, _, formatter in
    .user(row.appUserID, in: formatter.glyphs)
  }
  private static let chain = ReceiptColumn(column: .whole("Subscription", priority: 3)) { row, _, formatter in
    guard let chain = row.chain else { return .dash(in: formatter.glyphs) }
    let others = row.otherChains > 0 ? " +\(CountText.of(row.otherChains))" : ""
    return [TextSpan(chain.rawValue), TextSpan(others, .dim)]
  }
  private static let product = ReceiptColumn(
    column: .name("Product", priority: 5), meanings: { $0.products.wholeIDs }
  ) { row, _, formatter in
    row.product.map { StyledText(formatter.products.name(of: $0)) } ?? .dash(in: formatter.glyphs)
  }
  private static let status = ReceiptColumn(column: .number("Status")) { row, _, formatter in
    row.lastStatus.map { StyledText("\($0)", AppleStatus($0).style) }
      ?? .dash(in: formatter.glyphs)
  }
  private static let why = ReceiptColumn(
    column: .name("Why", least: 30, most: 96, priority: 1), isPresent: { $0.why != nil }
  ) {
    row, _, formatter in
    row.why.map { StyledText($0) } ?? .dash(in: formatter.glyphs)
  }
  private static let checked = ReceiptColumn(column: .number("Checked", priority: 6)) { row, now, formatter in
    row.lastCheckedAt.map { StyledText(AgeText.since($0, at: now), .dim) } ?? StyledText("never", .dim)
  }
  private static let next = ReceiptColumn(column: .number("Next", priority: 2)) { row, now, formatter in
    row.nextDue.map { StyledText($0 <= now ? "due" : AgeText.ago($0, at: now)) }
      ?? .dash(in: formatter.glyphs)
  }
}
