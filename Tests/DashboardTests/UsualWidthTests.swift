import Dashboard
import Screen
import Subscriptions
import Testing

/// Required content of a screen at each usual width.
struct UsualScreen: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let keys: [String]
  let lists: [[String]]
  /// Labels that must be next to their number.
  let figures: [String]
  let words: [String]
  /// Rows of the screen: high enough for everything, except long lists.
  let height: Int

  init(
    _ name: String, _ keys: String..., lists: [[String]] = [], figures: [String] = [], words: [String] = [],
    height: Int = 200
  ) {
    (testDescription, self.keys, self.lists, self.figures) = (name, keys, lists, figures)
    (self.words, self.height) = (words, height)
  }

  static let all = [
    UsualScreen(
      "Overview", "1", lists: [["Product", "Paid", "Change", "Lost"]],
      figures: [
        "Opening", "New", "Closing", "Billing retry", "Paid or in retry", "converted", "MRR",
        "Refunds issued", "Renewed on time",
      ]),
    UsualScreen(
      "Movement", "2", figures: ["Opening", "New", "Converted", "Entered billing retry", "Closing"]),
    UsualScreen(
      "Active", "3", lists: [["Product", "Paid", "Trial", "Grace", "MRR"]],
      figures: ["Active paid", "Trials", "MRR"]),
    UsualScreen(
      "Billing retry", "4",
      lists: [["Subscription", "App user", "Product", "Since expiry", "Left", "MRR"]],
      figures: ["Billing retry", "In grace (has access)"]),
    UsualScreen(
      "Recovery", "5", lists: [["Product", "Entered"], ["Since entry", "Now"], ["Grace", "Entered"]],
      figures: ["recovered"]),
    UsualScreen(
      "Churn", "6", lists: [["Period", "Due", "Renewed", "Lost", "Rate"]],
      figures: ["Paid or in retry", "New periods", "Unexplained returns", "Resubscriptions"]),
    UsualScreen("Cohorts", "7", lists: [["Month", "Size", " 0 ", " 1 "]]),
    UsualScreen(
      "Offers", "8", lists: [["Kind", "Offer", "Product", "Uses", "Converted", "Net"]],
      figures: ["Price consent requests", "Auto-renew turned off"]),
    UsualScreen("Refunds", "9", lists: [["Product", "Refunds", "Amount"]], figures: ["Refunds"]),
    UsualScreen(
      "Upgrades", "0", lists: [["When", "From", "To", "Upgrade credit"]], figures: ["Upgrade credit"]),
    UsualScreen(
      "Events", "E", lists: [["When", "Event, ✓ notified", "Product", "Price"]], words: ["RENEWAL ✓"]),
    UsualScreen(
      "Sweep", "W",
      lists: [["Status", "Meaning", "Answers", "Share", "Seen", "Receipt"], ["Event", "Median"]],
      figures: ["Due", "Receipts changed"]),
    UsualScreen(
      "a history", "f", "story", "enter",
      lists: [["Kind", "Product", "Purchase", "Expires", "Status", "Price"]],
      words: ["✓ active", "access ", "why ", "renewal "]),
    UsualScreen(
      "its fields", "f", "310000831360853", "enter", "J", lists: [["Record", "Field", "Value", "Meaning"]],
      words: [" 310000831360853 ", " 1795241100000 ", "2026-11-21 06:05"], height: 24),
    UsualScreen(
      "the rows of a figure", "9", "g", "g", "enter",
      lists: [["Subscription", "App user", "Product", "When", "Refund"]]),
    UsualScreen("help", "?", lists: [["Key", "What it does", "Command"]]),
  ]
}

@Suite("At a usual width a screen") struct UsualWidthTests {
  @Test("shows its important columns and figures", arguments: UsualScreen.all, [80, 100, 120, 200])
  func shows(_ screen: UsualScreen, _ columns: Int) {
    var bench = Bench.opened(columns, screen.height)
    for key in screen.keys { bench.press(key) }
    let rows = bench.canvas.text().flatMap { line in
      line.split(separator: "│").map { part in String(part.drop { $0 == " " }) }
    }
    for list in screen.lists {
      #expect(rows.contains { row in list.allSatisfy { " \(row)".contains($0) } }, "\(list): \(bench.screen)")
    }
    for figure in screen.figures {
      let row = rows.first { $0.hasPrefix("\(figure) ") && $0.contains(where: \.isNumber) }
      #expect(row != nil, "\(figure): \(bench.screen)")
    }
    for word in screen.words { #expect(bench.screen.contains(word), "\(word): \(bench.screen)") }
  }

  @Test(
    "has titles in whole words", arguments: Tab.all,
    [Size.usual, Size(columns: 100, rows: 30), .large, .whole])
  func titles(_ tab: Tab, _ size: Size) {
    var bench = Bench.opened(size.columns, size.rows)
    bench.press(String(tab.key))
    for _ in 0..<8 {
      for line in bench.canvas.text() where line.contains("┌─") {
        #expect(!line.contains("…─"), "\(line)")
      }
      bench.press("pgdn")
    }
  }

  @Test("shows all sums of a figure, or that they are cut", arguments: [40, 60, 80, 100, 120, 200])
  func sums(_ width: Int) {
    var bench = Bench.opened(width, 40)
    bench.rows = { question, figure in
      var rows = Sample.rows(question, figure)
      rows.amounts = Amounts(
        ["EUR", "GBP", "USD"].map { Money(micros: 1_234_560_000, currency: CurrencyCode($0)) })
      return rows
    }
    bench.press("9", "g", "j", "enter")
    let title = bench.canvas.text().first { $0.hasPrefix("┌") } ?? ""
    let shown = ["EUR 1,2", "GBP 1,2", "USD 1,2"].filter(title.contains)
    #expect(shown.count == 3 || title.contains("…"), "\(title)")
  }
}
