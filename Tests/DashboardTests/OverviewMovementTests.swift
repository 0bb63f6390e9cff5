import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("The overview's movement") struct OverviewMovementTests {
  struct Naming: CustomTestStringConvertible, Sendable {
    let name: String
    /// Changes that did not happen.
    var without: Set<Flow> = []
    let labels: Set<String>
    var testDescription: String { name }

    /// All that it may call what came back, and what is not known.
    static let labels: Set<String> = [
      "Recovered", "Returned", "Recovered, returned", "Not confirmed yet", "Away, unknown why",
      "Not confirmed",
    ]

    static let all = [
      Naming(name: "all of them", labels: ["Recovered, returned", "Not confirmed"]),
      Naming(
        name: "out of billing retry, and not confirmed yet", without: [.returned, .toUnattributed],
        labels: ["Recovered", "Not confirmed yet"]),
      Naming(
        name: "nobody knows how, and nobody knows why", without: [.recovered, .toOverdue],
        labels: ["Returned", "Away, unknown why"]),
      Naming(
        name: "none of them", without: [.recovered, .returned, .toOverdue, .toUnattributed], labels: []),
    ]
  }

  @Test(
    "calls nothing recovered of which nobody knows how it returned", arguments: Naming.all, [40, 80])
  func words(_ naming: Naming, _ columns: Int) {
    let question = Question(panel: .overview, at: Sample.now)
    var report = Sample.report(question)
    guard case .overview(var figures) = report.data else { return }
    figures.addMovement(of: LedgerCourse(Sample.movementSums(without: naming.without), question), question)
    report.data = .overview(figures)
    // Balances of the same names have no sign.
    let lines = text(of: report, width: columns).split(separator: "\n").map { $0.drop { $0 == " " } }
      .filter { $0.contains(" +") || $0.contains(" -") }
    let shown = Naming.labels.filter { label in lines.contains { $0.hasPrefix("\(label)  ") } }
    #expect(shown == naming.labels, "\(lines.joined(separator: "\n"))")
  }
}
