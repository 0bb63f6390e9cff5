import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("The overview's movement") struct OverviewMovementTests {
  /// Labels for recoveries and for lines with unknown state.
  private static let labels: Set<String> = [
    "Recovered", "Returned", "Recovered, returned", "Unverified", "Lapsed (cause unknown)",
    "Unverified, lapsed",
  ]

  @Test(
    "calls nothing recovered of which nobody knows how it returned",
    arguments: [
      ([], ["Recovered, returned", "Unverified, lapsed"]),
      ([.returned, .toUnattributed], ["Recovered", "Unverified"]),
      ([.recovered, .toOverdue], ["Returned", "Lapsed (cause unknown)"]),
      ([.recovered, .returned, .toOverdue, .toUnattributed], []),
    ] as [(Set<Flow>, Set<String>)])
  func words(_ without: Set<Flow>, _ labels: Set<String>) {
    let question = Question(panel: .overview, at: Sample.now)
    var report = Sample.report(question)
    var figures = report.data
    figures.addMovement(of: Sample.movementSums(without: without), question)
    report.data = figures
    // Balances of the same names have no sign.
    let lines = text(of: report, width: 80).split(separator: "\n").map { $0.drop { $0 == " " } }
      .filter { $0.contains(" +") || $0.contains(" -") }
    let shown = Self.labels.filter { label in lines.contains { $0.hasPrefix("\(label)  ") } }
    #expect(shown == labels, "\(lines.joined(separator: "\n"))")
  }
}
