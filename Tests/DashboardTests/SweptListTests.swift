import Dashboard
import Screen
import Subscriptions
import Testing

/// What a sweep takes of a panel's list by a filter, for who has not the list before him.
@Suite("A filter without a screen") struct SweptListTests {
  static let panels = Panel.allCases.filter(\.listsSubscriptions)

  private func fields(of panel: Panel) -> [String] {
    var bench = Bench.opened(120, 40)
    bench.show(panel)
    return bench.state.tableExport?.columns ?? []
  }

  private func known(_ text: String, in report: Report) -> [String]? {
    do throws(Filter.Problem) {
      _ = try report.chains(matching: text)
      return nil
    } catch {
      guard case .field(_, let known) = error else { return nil }
      return known.filter { !$0.isEmpty }
    }
  }

  @Test("knows the columns that the panel's list has on the screen", arguments: panels)
  func columns(_ panel: Panel) {
    let report = Sample.report(Question(panel: panel, at: Sample.now))
    let fields = fields(of: panel)
    #expect(!fields.isEmpty)
    for field in fields { #expect(known("\(field):x", in: report) == nil, "\(field)") }
    let named = known("colour:red", in: report) ?? []
    #expect(Set(named).isSuperset(of: fields) && Set(named).subtracting(fields).isSubset(of: ["storefront"]))
  }

  @Test("takes the rows that the same filter leaves on the screen", arguments: ["", "days>10", "!days>10"])
  func rows(_ filter: String) throws {
    var bench = Bench.opened(120, 40)
    bench.press("4")
    if !filter.isEmpty { bench.press("/", filter, "enter") }
    let shown = try #require(bench.state.tableExport)
    let report = Sample.report(Question(panel: .billingRetry, at: Sample.now))
    let taken = try report.chains(matching: filter).map(\.rawValue)
    #expect(!taken.isEmpty && taken == shown.rows.map { $0[0] })
  }

  @Test("is right on a day on which nobody's storefront is known", arguments: panels)
  func storefronts(_ panel: Panel) throws {
    let report = Sample.emptyReport(Question(panel: panel, at: Sample.now))
    #expect(try report.chains(matching: "storefront:DEU").isEmpty)
    var bench = Bench.opened(120, 40)
    bench.show(panel)
    bench.press("/", "storefront:nowhere", "enter")
    #expect(bench.state.prompt == nil && bench.screen.contains("matches storefront:nowhere"))
  }
}
