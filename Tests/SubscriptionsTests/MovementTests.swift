import Subscriptions
import TestSupport
import Testing

@Suite struct MovementTests {
  /// METRICS §6: each change is exactly one event, and only changes have flow names.
  @Test(arguments: seeds(400)) func everyChangeIsOneEvent(_ seed: UInt64) {
    for line in Chain.generated(seed).lines(catalog: .generated) {
      let changes = line.changes.compactMap { change in
        change.kind.flow.map { "\(change.at.rawValue) \($0)" }
      }
      let events = line.events.compactMap { event in
        event.flow.map { "\(event.effectiveAt.rawValue) \($0)" }
      }
      #expect(events.sorted() == changes.sorted())
      #expect(Set(line.events.map(\.id)).count == line.events.count)
    }
  }
}

extension LedgerFigures {
  /// Groups and currencies whose flows miss the end, and losses that differ from their reasons.
  var discrepancies: [String] { Self.discrepancies(groups) }

  static func discrepancies(_ groups: [EvaluatedGroup]) -> [String] {
    let reasons = groups.first { $0.name == "lost_by_reason" }?.rows.first?.values.reduce(0, +)
    let lost = groups.first { $0.name == "subscribers" }?["lost"].map { Int128($0) }
    let byReason = reasons == lost ? [] : ["\(reasons ?? 0) lost by reason of \(lost ?? 0)"]
    return byReason
      + groups.filter { $0.name != "lost_by_reason" }.flatMap { group in
        group.rows.compactMap { row in
          let values = Dictionary(uniqueKeysWithValues: zip(group.figures.map(\.name), row.values))
          let sum = values.reduce(Int128(0)) { sum, figure in
            switch figure.key {
            case "start": sum + figure.value
            case "end": sum - figure.value
            case let name: sum + sign(of: name, in: group) * figure.value
            }
          }
          return sum == 0 ? nil : "\(group.name) \(row.currency?.rawValue ?? "") \(values)"
        }
      }
  }

  /// Sign of a flow of lines, whose counts are not signed; MRR is.
  private static func sign(of figure: String, in group: EvaluatedGroup) -> Int128 {
    let isLeaving =
      switch group.name {
      case "subscribers":
        ["to_trial", "to_retry", "to_overdue", "to_unattributed", "lost", "to_other_product"].contains(figure)
      case "trials":
        [
          "converted", "trial_to_retry", "trial_to_overdue", "trial_to_unattributed", "trial_lost",
          "to_other_product",
        ]
        .contains(figure)
      case "billing_retry":
        ["recovered", "converted", "trial_started", "lost", "trial_lost", "to_other_product"].contains(figure)
      default: false
      }
    return isLeaving ? -1 : 1
  }
}
