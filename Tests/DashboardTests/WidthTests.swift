import Dashboard
import Screen
import Subscriptions
import Testing

/// A list of a panel and its columns.
struct WideList: CustomTestStringConvertible, Sendable {
  let tab: Tab
  let title: String
  let columns: Set<String>
  var testDescription: String { "\(tab.title): \(title)" }

  init(_ panel: Panel, _ title: String, _ columns: Set<String>) {
    (tab, self.title, self.columns) = (.panel(panel), title, columns)
  }

  init(sweeps title: String, _ columns: Set<String>) {
    (tab, self.title, self.columns) = (.sweep, title, columns)
  }

  static let all = [
    WideList(
      .overview, "By product", ["Product", "Paid", "Change", "Lost", "MRR", "MRR change", "Trials"]),
    WideList(.active, "By product", ["Product", "Paid", "Trial", "Grace", "MRR"]),
    WideList(
      .billingRetry, "In billing retry, the newest first",
      ["Subscription", "App user", "Product", "Expired", "Left", "Store"]),
    WideList(
      .recovery, "Entered by product", ["Product", "Entered", "Back", "Recovered", "In retry", "Lost"]),
    WideList(.churn, "Renewals due", ["Period", "Due", "Renewed", "Lost", "Rate"]),
    WideList(
      .offers, "Trials and offers", ["Kind", "Product", "Started", "Running", "Again", "Cost", "Balance"]),
    WideList(.refunds, "product", ["Product", "Refunds", "At price"]),
    WideList(
      .upgrades, "Replaced periods",
      ["When", "From", "To", "Kind", "Price", "Dated", "Subscription", "Store"]),
    WideList(
      .events, "events in 28 d", ["When", "Product", "Movement", "Price", "Reason", "Subscription", "Store"]),
    WideList(sweeps: "Apple's answers", ["Status", "Meaning", "Count", "Share", "Seen", "Receipt"]),
    WideList(sweeps: "Delay until noticed", ["Event", "Seen", "Median", "95th percentile"]),
  ]

  /// Those of its columns that show; nil where the list does not.
  func shown(in bench: Bench) -> Set<String>? {
    let lines = bench.canvas.text().map(Array.init)
    for (row, line) in lines.enumerated() where row + 1 < lines.count {
      guard let place = String(line).firstRange(of: title), String(line).contains("\u{250C}") else {
        continue
      }
      let column = String(line)[..<place.lowerBound].count
      let start = line[..<column].lastIndex(of: "\u{250C}") ?? column
      let end = line[column...].firstIndex(of: "\u{2510}") ?? line.endIndex
      let below = lines[row + 1]
      let titles = String(below[min(start, below.endIndex)..<min(end, below.endIndex)])
      let words = titles.split(separator: "  ").map { word in
        word.split { " \u{2502}".contains($0) }.joined(separator: " ")
      }
      return columns.intersection(words)
    }
    return nil
  }
}

@Suite("A wider screen") struct WidthTests {
  @Test("shows every column of a narrower one", arguments: WideList.all, [24, 40, 60])
  func columns(_ list: WideList, _ rows: Int) {
    var bench = Bench.opened(80, rows)
    bench.press(String(list.tab.key))
    var known: Set<String> = []
    var isSeen = false
    for width in stride(from: 80, through: 240, by: 4) {
      bench.send(.input(.resize(Size(columns: width, rows: rows))))
      guard let shown = list.shown(in: bench) else { continue }
      isSeen = true
      #expect(shown.isSuperset(of: known), "\(known.subtracting(shown)) at \(width)x\(rows)")
      known = shown
    }
    #expect(isSeen || rows < 60, "it was never on the screen")
  }

  @Test("has every column of the overview's products", arguments: [200, 240], [40, 60])
  func products(_ columns: Int, _ rows: Int) throws {
    let list = try #require(WideList.all.first)
    let shown = list.shown(in: Bench.opened(columns, rows))
    #expect(shown == list.columns, "\(Bench.opened(columns, rows).screen)")
  }
}
