import Screen
import Subscriptions

/// Choices that lead to tabs and figures, found by their labels, their names in the JSON and other names.
extension Choice {
  /// Choices for all tabs, figures and labels, except those of the overview that another tab has too.
  static let onTheScreen: [Choice] = {
    let (queue, formatter) = (QueueReport(asOfMs: Instant(rawValue: 0)), DisplayFormatter(glyphs: .unicode))
    let sweeps = SweepPanel(sweep: SweepState(), queue: queue, now: queue.asOfMs, formatter: formatter)
    let others =
      Tab.panels.filter { $0 != .overview }.flatMap { all(of: $0, formatter) }
      + labels(of: sweeps.blocks, on: .sweep)
      + [Choice(line: "Fresh (24 h)", on: .sweep, names: ["freshness"])]
      + [
        altered(Choice(line: "Due within 7 d", on: .panel(.overview), names: ["renews next", "forecast"])) {
          $0.command = .figure(.overview, "due.7.lines")
        }
      ]
    let lines = Set(others.map(\.line))
    return Tab.all.map { Choice(line: $0.title, what: "tab", command: .show($0), keys: "\($0.key)") }
      + others + all(of: .overview, formatter).filter { !lines.contains($0.line) }
  }()

  /// Returns choices for the figures and labels of a panel, which open a figure's rows or else the tab.
  private static func all(of panel: Panel, _ formatter: DisplayFormatter) -> [Choice] {
    let figures = panel.meanings.map { meaning in
      guard let words = panel.figure(meaning.term)?.words, !meaning.term.contains("*") else {
        return Choice(line: meaning.words, on: .panel(panel), names: [meaning.term])
      }
      return Choice(
        line: words, what: "rows of \(panel.title)", command: .figure(panel, meaning.term),
        names: [meaning.term])
    }
    // Only the labels of upcoming renewals depend on data.
    var data = FigureValues()
    data[parts: "due"] = DueHorizon.allCases.map { horizon in
      altered(FigureValues()) { $0["days"] = horizon.days }
    }
    let report = Report(
      answering: Question(panel: panel, at: Instant(rawValue: 0)), trust: Trust(), data: data)
    return figures
      + labels(of: PanelContent(report: report, formatter: formatter).blocks, on: .panel(panel))
  }

  private init(line: String, on tab: Tab, names: [String] = []) {
    self.init(line: line, what: "on \(tab.title)", command: .show(tab), names: names)
  }

  private static func labels(of blocks: [Block], on tab: Tab) -> [Choice] {
    blocks.flatMap { block -> [Choice] in
      let title = block.searchedTitle
      let labels = block.labels.map { label, opened in
        var choice = Choice(line: label.isEmpty ? title : label, on: tab, names: ["\(title) \(label)"])
        choice.what = "\(title), on \(tab.title)"
        if case .panel(let panel) = tab, case .rows(let breakdown)? = opened,
          breakdown.panel ?? panel == panel
        {
          choice.command = .figure(panel, breakdown.figures.first ?? "")
        }
        if case .receipts(let question)? = opened { choice.command = .receipts(question) }
        return choice
      }
      return [Choice(line: title, on: tab)] + labels
    }
    .filter { !$0.line.isEmpty }
  }
}

extension Block {
  /// Title up to the first digit, colon or comma, because the remainder depends on the window or the data.
  fileprivate var searchedTitle: String {
    String(title.text.prefix { !$0.isNumber && !":,".contains($0) }).replacing(" in ", with: "")
      .trimmingSpaces
  }

  fileprivate var labels: [(name: String, opened: DrillDown?)] {
    switch body {
    case .figures(let figures): figures.map { ($0.label, $0.drillDown) }
    case .bars(let bars): bars.map { ($0.bar.label.text, $0.drillDown) }
    case .tile(let tile): [("", tile.drillDown)]
    default: []
    }
  }
}
