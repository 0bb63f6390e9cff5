import Screen
import Subscriptions

extension ReceiptQuestion {
  /// Returns a title for the receipts; the start of a sweep is looked up in `sweeps`.
  func name(in formatter: DisplayFormatter, sweeps: [SweepRecord]) -> String {
    func of(_ reason: String?) -> String { reason.map { ": \($0)" } ?? "" }
    switch self {
    case .due(0, nil): return "Due receipts"
    case .due(let from, let until):
      return "Receipts due for \(QueueReport.span(from: from, to: until))"
    case .dueSoon: return "Receipts due in 24 h"
    case .dueLater: return "Receipts due later"
    case .failed(let reason): return "Receipts awaiting retry" + of(reason)
    case .setAside(let reason): return "Receipts checked rarely" + of(reason)
    case .dead(let reason): return "Given-up receipts" + of(reason)
    case .inProgress: return "Receipts in progress"
    case .status(let status, let since):
      return "Receipts with status \(status)" + (since == nil ? "" : " since the sweep began")
    case .ofSweep(let id):
      let record = sweeps.first { $0.id == id }
      return "Sweep \(record.map { "of \(formatter.minute($0.startedAtMs))" } ?? "number \(id)")"
    }
  }

  fileprivate var emptyText: String {
    switch self {
    case .ofSweep: "No changed or failed receipts are stored for this sweep."
    default: "No receipts match now."
    }
  }

  /// Returns the number of receipts; the store does not keep all receipts of a large or an old sweep.
  fileprivate func words(for count: Int, _ sweeps: [SweepRecord]) -> String {
    guard case .ofSweep(let id) = self else { return CountText.of(count, "receipt") }
    // The counts of a running sweep can be older than the list.
    let known = sweeps.first { $0.id == id && $0.state != .running }
    let all = known.map { $0.changed + $0.retryLater + $0.rejected } ?? 0
    guard all > count else { return count == 0 ? "none listed" : CountText.of(count, "receipt") }
    return "\(CountText.of(all)) changed or failed, \(count == 0 ? "none" : CountText.of(count)) listed"
  }
}

extension ReceiptLines {
  func block(
    named name: String, _ sweeps: [SweepRecord], at now: Instant, in formatter: DisplayFormatter
  ) -> Block {
    let glyphs = formatter.glyphs
    return Block(
      [TextSpan(name, .heading), TextSpan(": \(question.words(for: count, sweeps))", .strong)], rows,
      [
        Column(.number("Receipt")) { StyledText("\($0.id)") },
        Column(.whole("Result").named("what")) { row in
          switch row.swept {
          case .changed?: StyledText("changed", .good)
          case .later?: StyledText("postponed", .warn)
          case .rejected?: StyledText("given up", .bad)
          case nil: nil
          }
        }.optional(), .user(priority: 4) { $0.appUserID },
        Column(.whole("Subscription", priority: 3)) { row in
          let others = row.otherChains > 0 ? " +\(CountText.of(row.otherChains))" : ""
          return row.chain.map { [TextSpan($0.rawValue), TextSpan(others, .dim)] }
        }.optional(),
        Column(.whole("Customer", priority: 3)) { row in
          row.chain == nil ? row.customer.map { StyledText($0.rawValue) } : nil
        }.optional(),
        .product(in: formatter, priority: 5) { $0.product },
        Column(.number("Status")) { $0.lastStatus.map { StyledText("\($0)", AppleStatus($0).style) } },
        Column(.name("Why", least: 30, most: 96, priority: 1)) { $0.why.map { StyledText($0) } }.optional(),
        Column(.number("Checked", priority: 6)) { row in
          row.lastCheckedAt.map { StyledText(AgeText.since($0, at: now), .dim) } ?? StyledText("never", .dim)
        },
        Column(.number("Next", priority: 2)) { row in
          row.nextDue.map { StyledText($0 <= now ? "due" : AgeText.ago($0, at: now)) }
        },
      ], total: count, emptyText: question.emptyText, span: .main, records: .receipts(rows), in: glyphs
    ) { Listing.Row(id: "\($0.id)", drillDown: .receipt($0.id), note: $0.why) }
  }
}
