import Dashboard
import Screen
import Subscriptions
import Testing

/// Filters of `subtop sweep`, which has no screen.
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
    for name in named { #expect(known("\(name):x", in: report) == nil, "\(name)") }
    #expect(named.filter { $0 != "store" }.count == fields.filter { $0 != "storefront" }.count)
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

  private static let products: Set = [Sample.weekly, Sample.monthly, Sample.yearly]

  @Test(
    "speaks of what the screen shows, or of what that stands for",
    arguments: [
      ("product=monthly", [1]), ("product=com.example.pro.monthly", [1]), ("product:monthly", [1]),
      ("product:com.example.pro", [0, 1, 2]), ("!product=weekly", [1, 2]), ("product=pro.monthly", []),
      ("state=active", [0, 2]), ("state=billing_retry", [1]), ("state=\"billing retry\"", [1]),
      ("state:billing_retry", [1]), ("offer=CAMPUS", [2]), ("offer=campus state=active", [2]),
      ("!offer=CAMPUS", [0, 1]), ("counted:paid", [0, 1, 2]),
    ] as [(String, [Int])])
  func words(_ text: String, _ places: [Int]) throws {
    var rows = Sample.rows(Question(panel: .active, at: Sample.now), "paid")
    rows.rows[1].state = .billingRetry
    rows.rows[2].offer = "CAMPUS"
    let taken = try rows.chains(
      matching: text, panel: .active, figure: nil, environment: .production, products: Self.products,
      at: Sample.now)
    #expect(taken == places.map { rows.rows[$0].originalTransactionID })
  }

  @Test("is right on a day without known storefronts", arguments: panels)
  func storefronts(_ panel: Panel) throws {
    let report = Sample.emptyReport(Question(panel: panel, at: Sample.now))
    #expect(try report.chains(matching: "storefront:DEU").isEmpty)
    var bench = Bench.opened(120, 40)
    bench.show(panel)
    bench.press("/", "storefront:nowhere", "enter")
    #expect(bench.state.prompt == nil && bench.screen.contains("matches storefront:nowhere"))
  }
}
