import Screen
import Subscriptions

extension Reconciliation {
  /// Returns the answer in one line, and Apple's figures beside the store's.
  func blocks(_ lines: [ReconciledLine], in formatter: DisplayFormatter) -> [Block] {
    let kinds: [(AppleReportKind, String)] = [
      (.subscription, "Balances"), (.events, "Events"), (.subscriber, "Transactions"), (.sales, "Money"),
    ]
    let tables = kinds.compactMap { kind, title -> Block? in
      let lines = lines.filter { $0.figure.source == kind }
      return lines.isEmpty ? nil : table(title + suffix(of: kind), lines, formatter)
    }
    let answer = Block("Does it match Apple?", .text(notes), span: .wide)
    return [answer] + (tables.isEmpty ? [Self.howTo] : tables)
  }

  private func suffix(of kind: AppleReportKind) -> String {
    let found = reportDays[kind] ?? []
    let last = days.last(where: found.contains)
    guard kind != .subscription else { return last.map { " at the end of \($0), Pacific" } ?? "" }
    let count = days.count(where: found.contains)
    return ", \(CountText.of(count)) of \(CountText.of(days.count, "day")) have a report"
  }

  /// Answer, the rule that was used for active subscriptions, and what is missing.
  var notes: [StyledText] {
    var notes = [answer]
    if reportDays[.subscription] != nil {
      notes.append(StyledText("By the smaller rest, Apple's \(activeRule.words).", .dim))
    }
    if !missing.isEmpty {
      let count = CountText.of(missing.count, "customer")
      notes.append(StyledText("The store lacks \(count) of Apple's subscriber reports.", .warn))
    }
    if !otherEvents.isEmpty {
      let names = otherEvents.sorted {
        $0.value == $1.value ? $0.key.rawValue < $1.key.rawValue : $0.value > $1.value
      }
      let words = names.prefix(4).map { "\($0.key.rawValue) (\(CountText.of(Int($0.value))))" }
      notes.append(StyledText("Events without a figure of ours: \(words.joined(separator: ", ")).", .dim))
    }
    return notes
  }

  /// `Matches Apple through 2026-06-25.`, or the largest rest.
  var answer: StyledText {
    guard !rows.isEmpty else { return StyledText("No report of Apple's was imported for these days.", .dim) }
    let worst = lines().filter { ($0.rest ?? 0) != 0 }.max { ($0.restShare ?? 0) < ($1.restShare ?? 0) }
    guard let worst, let rest = worst.rest else {
      let last = matchesThrough.map { " through \($0)" } ?? ""
      return StyledText("Matches Apple\(last). Every difference is explained.", .good)
    }
    let share = PercentText.of(worst.restShare ?? 0)
    return StyledText(
      "Largest rest: \(worst.figure.words) \(worst.text(rest)) (\(share)). Matches through "
        + "\(matchesThrough.map(\.description) ?? "no day").", .warn)
  }

  private func table(_ title: String, _ lines: [ReconciledLine], _ formatter: DisplayFormatter) -> Block {
    Block(
      StyledText(title), lines,
      [
        Column(.name("Figure", least: 14)) { StyledText($0.figure.words) },
        Column(.whole("Part", priority: 1)) { line in line.part.map { StyledText($0) } }.optional(),
        Column(.number("Apple")) { line in line.apple.map { StyledText(line.text($0), .strong) } },
        Column(.number("Ours")) { StyledText($0.text($0.ours)) },
        Column(.number("Difference", priority: 3)) { line in line.difference.map { line.signed($0, .text) } },
        Column(.number("Rest")) { line in line.rest.map { line.signed($0, .warn) } },
        Column(.whole("State", priority: 4)) { StyledText($0.state.words, .dim) },
        Column(.name("Explained by", least: 12, priority: 2)) { StyledText($0.causeWords, .dim) },
      ], emptyText: "", span: .main, minimumColumns: 60, in: formatter.glyphs
    ) { line in
      Listing.Row(
        id: "\(line.figure.rawValue) \(line.part ?? "") \(line.currency?.rawValue ?? "")",
        note: line.causeWords)
    }
  }

  /// Shown while no report is imported.
  static let howTo = Block(
    "How to compare",
    .text(
      [
        "1. App Store Connect › Trends › Reports: download the daily reports Sales Summary, Subscription, "
          + "Subscription Event and Subscriber.",
        "2. subtop import apple-reports FOLDER", "3. subtop reconcile",
        "`subtop help reconcile` explains the causes of differences.",
      ].map { StyledText($0) }), span: .wide)
}

extension ReconciledLine {
  fileprivate func text(_ value: Int128) -> String {
    currency.map { MoneyText.of(Money(micros: value, currency: $0)) } ?? CountText.of(Int(clamping: value))
  }

  fileprivate func signed(_ value: Int128, _ style: Style) -> StyledText {
    value == 0 ? StyledText("0", .dim) : StyledText((value > 0 ? "+" : "") + text(value), style)
  }

  var causeWords: String {
    DifferenceCause.allCases.compactMap { cause in
      causes[cause].map { "\(cause.words) \($0 > 0 ? "+" : "")\(text($0))" }
    }.joined(separator: ", ")
  }
}

extension ReconciledRow.State {
  var words: String {
    switch self {
    case .final: "final"
    case .mayChange: "may change"
    case .absent: "no report"
    }
  }
}

/// Returns a reconciliation as plain text.
public func text(
  of reconciliation: Reconciliation, _ lines: [ReconciledLine], width: Int = 80, glyphs: GlyphSet = .unicode
) -> String {
  let formatter = DisplayFormatter(glyphs: glyphs)
  let days = reconciliation.days
  let head = StyledText(
    "Reconcile with Apple  \(days.first?.description ?? "") to \(days.last?.description ?? ""), Pacific days",
    .heading)
  return formatter.printed(reconciliation.blocks(lines, in: formatter), under: [head], width)
}

/// Returns rows of text as a table.
public func text(
  ofRows rows: [[String]], titled titles: [String], empty: String, width: Int, glyphs: GlyphSet
) -> String {
  let columns = titles.enumerated().map { place, title in
    Column<[String]>(.whole(title)) { StyledText($0[place]) }
  }
  let block = Block("", rows, columns, emptyText: empty, span: .main, in: glyphs) {
    Listing.Row(id: $0.joined(separator: " "))
  }
  return DisplayFormatter(glyphs: glyphs).printed([block], under: [], width)
}
