import Screen
import Subscriptions

/// Content of the reconcile tab and of `subtop reconcile`: the result, and Apple's and the store's figures.
struct ReconcilePanel {
  let reconciliation: Reconciliation
  var payouts: [Payout] = []
  let formatter: DisplayFormatter

  func blocks(_ lines: [ReconciledLine]) -> [Block] {
    let answer = Block("Does it match Apple?", .text(notes + strips), span: .wide)
    return [answer] + (lines.isEmpty ? [] : [table("Apple and this store", lines)])
      + (payouts.isEmpty ? [] : [bridges])
      + (reconciliation.missing.isEmpty ? [] : [missing])
  }

  private var notes: [StyledText] {
    let hasRest = payouts.contains { !$0.isExplained }
    var notes = [reconciliation.answer + StyledText(hasRest ? " Payouts have a rest." : "", .warn)]
    if reconciliation.reportDays[.subscription] != nil {
      notes.append(StyledText("Apple's \(reconciliation.activeRule.words) (leaves the smaller rest).", .dim))
    }
    if !reconciliation.missing.isEmpty {
      let count = CountText.of(reconciliation.missing.count, "customer")
      notes.append(StyledText("The store lacks \(count) in Apple's subscriber reports.", .warn))
    }
    let events = reconciliation.otherEvents.sorted {
      ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue)
    }
    if !events.isEmpty {
      let words = events.prefix(3).map { "\($0.key.rawValue) (\(CountText.of(Int(clamping: $0.value))))" }
      notes.append(StyledText("Events that no figure counts: \(words.joined(separator: ", ")).", .dim))
    }
    return notes
  }

  /// Marks for Apple's daily reports on the comparison's last 56 days; kinds with equal marks share a line.
  private var strips: [StyledText] {
    let days = reconciliation.days.suffix(56)
    guard let first = days.first, let last = days.last else { return [] }
    let glyphs = formatter.glyphs
    var kinds: [[ReconciledRow.State]: [String]] = [:]
    for kind in AppleReportKind.allCases where reconciliation.reportDays[kind] != nil && !kind.isFinance {
      kinds[days.map { reconciliation.state(of: kind, on: $0) }, default: []].append(kind.title)
    }
    let lines = kinds.sorted { $0.value[0] < $1.value[0] }.map { states, names -> StyledText in
      let name = kinds.count == 1 ? "Reports" : names.joined(separator: ", ")
      return StyledText([TextSpan("\(name) ", .dim)] + states.map { $0.mark(in: glyphs) })
    }
    let marks = [ReconciledRow.State.final, .mayChange, .absent].filter { state in
      kinds.keys.contains { $0.contains(state) }
    }
    let legend = marks.flatMap { [TextSpan("  "), $0.mark(in: glyphs), TextSpan(" \($0.words)", .dim)] }
    return lines + [StyledText([TextSpan("\(first) to \(last), Pacific days", .dim)] + legend)]
  }

  /// Returns Apple's and the store's figures; unexplained differences come first, unless split by part.
  private func table(_ title: StyledText, _ lines: [ReconciledLine]) -> Block {
    let isSplit = lines.contains { $0.part != nil }
    let shown =
      isSplit ? lines : lines.filter { $0.finalRest ?? 0 != 0 } + lines.filter { $0.finalRest ?? 0 == 0 }
    return Block(
      title, shown,
      [
        Column(.name("Figure", least: 14)) { StyledText($0.figure.words) },
        Column(.whole("Part", priority: 1)) { line in line.part.map { StyledText($0) } }.optional(),
        Column(.number("Apple")) { line in line.apple.map { StyledText(line.text($0), .strong) } },
        Column(.number("Ours")) { $0.hasNoPrice ? nil : StyledText($0.text($0.ours)) },
        Column(.number("Difference", priority: 3)) { line in line.difference.map { line.signed($0, .text) } },
        Column(.number("Rest")) { line in line.finalRest.map { line.signed($0, .warn) } },
        Column(.whole("State", priority: 4)) { line in
          StyledText(line.state.words, .dim)
            + (line.uncertain == 0 ? "" : StyledText(" ") + line.signed(line.uncertain, .dim))
        },
        Column(.name("Explained by", least: 12, priority: 2)) { StyledText($0.causeWords, .dim) },
      ], emptyText: "", span: .main, minimumColumns: 60, records: .reconciled(shown), in: formatter.glyphs
    ) { line in
      Listing.Row(
        id: "\(line.figure.rawValue) \(line.part ?? "") \(line.currency?.rawValue ?? "")",
        drillDown: isSplit ? nil : .reconciled(line.figure, line.currency), note: line.causeWords)
    }
  }

  /// Apple's payouts and the store's net amounts, with the unexplained rest, but without the known causes.
  private var bridges: Block {
    let lines = payouts.prefix(12).map { payout -> StyledText in
      let words = "Apple \(payout.text(payout.apple)), ours after commission \(payout.text(payout.ours)), "
      let rest = payout.isExplained ? "no rest" : "rest \(payout.text(payout.rest))"
      return StyledText("\(payout.report.fiscalMonth)  \(words)")
        + StyledText(rest, payout.isExplained ? .good : .warn)
    }
    let more = StyledText("With their causes: subtop reconcile --source finance", .dim)
    return Block("Payouts of fiscal months", .text(lines + [more]), span: .wide)
  }

  private var missing: Block {
    let customers = reconciliation.missing
    let lines = customers.prefix(8).map { customer -> StyledText in
      let words = [
        CountText.of(customer.transactions, "transaction"), "\(customer.first) to \(customer.last)",
        customer.products.sorted().joined(separator: " "),
        customer.storefronts.map(\.rawValue).sorted().joined(separator: " "),
        customer.amounts.totals.map { MoneyText.of($0) }.joined(separator: ", "),
        customer.candidates > 1 ? "one of \(customer.candidates) with equal transactions" : "",
      ]
      return StyledText("\(customer.subscriber.prefix(8))  ", .dim)
        + StyledText(words.filter { !$0.isEmpty }.joined(separator: "  "))
    }
    let more = StyledText("All with their transactions: subtop reconcile --missing", .dim)
    return Block("Customers that the store lacks", .text(lines + [more]), span: .wide)
  }

  /// Returns a figure's causes, transactions of one side only (Subscriber reports), and the figure by day.
  func blocks(behind figure: ReconciledFigure, _ currency: CurrencyCode?) -> [Block] {
    let lines = reconciliation.totals.filter { $0.figure == figure && $0.currency == currency }
    let days = reconciliation.lines([figure], by: .day).filter { $0.currency == currency }
    let causes = DifferenceCause.allCases.flatMap { cause in
      lines.compactMap { line in
        line.causes[cause].map { amount -> StyledText in
          line.signed(amount, .strong) + StyledText("  \(cause.words): \(cause.meaning)", .text)
        }
      }
    }
    let rest = lines.compactMap { line in
      line.rest.map { line.signed($0, .warn) + StyledText("  rest, without a cause", .text) }
    }
    return [Block("Why it differs", .text(causes + rest), span: .wide)]
      + (figure.source == .subscriber ? [unmatched(figure)] : [])
      + [table("\(figure.words) by day", days)]
  }

  private func unmatched(_ figure: ReconciledFigure) -> Block {
    let rows = reconciliation.matching.unmatched(refunds: figure == .transactionRefunds)
    let lines = rows.prefix(12).map { row -> StyledText in
      let price = row.key.price.map { MoneyText.of($0) } ?? "no price"
      let words = [
        "\(row.key.day)", row.key.product?.rawValue ?? "product not mapped",
        row.key.storefront?.rawValue ?? "storefront unknown", price, row.count > 1 ? "× \(row.count)" : "",
      ]
      return [TextSpan(row.isApples ? "only Apple  " : "only ours   ", .warn)]
        + StyledText(words.filter { !$0.isEmpty }.joined(separator: "  "))
    }
    let more = rows.count > 12 ? [StyledText("\(rows.count - 12) more: subtop reconcile --rows", .dim)] : []
    let text = rows.isEmpty ? [StyledText(reconciliation.noUnmatched)] : lines + more
    return Block("On one side only", .text(text), span: .wide)
  }

  /// Returns the days with reports, shown if none of them is in the window.
  static func noReports(but reported: ClosedRange<CivilDate>) -> Block {
    let days = "\(reported.lowerBound) to \(reported.upperBound)"
    let lines = [
      Reconciliation.noReports, StyledText("The imported daily reports are of \(days)."),
      StyledText("Press w for another window, or i to see how to import reports.", .dim),
    ]
    return Block("Does it match Apple?", .text(lines), span: .wide)
  }

  /// Instructions for importing Apple's reports, shown by the key `i` and while there is no comparison.
  static let howTo = Block(
    "How to compare with Apple",
    .text(
      [
        "1. App Store Connect › Trends › Reports: download the daily reports Sales Summary, Subscription, "
          + "Subscription Event and Subscriber. Only Sales Summary has the product ids (SKU).",
        "For payouts, download Finance Detail under Payments › Financial Reports.",
        "2. subtop import apple-reports FOLDER",
        "3. subtop reconcile, or this panel, shows Apple's figures beside the store's, and why they differ.",
        "With a team key, `subtop fetch apple-reports` downloads the reports instead.",
        "`subtop help reconcile` explains the causes of differences.",
      ].map { StyledText($0) }), span: .wide)
}

extension Reconciliation {
  /// Sentence for an empty list of unmatched transactions.
  public var noUnmatched: String {
    matchedDays > 0
      ? "Every transaction is on both sides."
      : "No day could be matched: a day also needs the Subscriber reports of the day before and the day after."
  }

  /// Figure with the largest rest relative to Apple's value; `nil` if every difference is explained.
  private var worst: ReconciledLine? {
    totals.filter { ($0.finalRest ?? 0) != 0 }.max { ($0.restShare ?? 0) < ($1.restShare ?? 0) }
  }

  /// Part of the overview's headline: largest rest, or else `matches Apple to 06-25`; `nil` without either.
  var headlinePart: Headline.Part? {
    guard let worst, let rest = worst.finalRest else {
      return matchesThrough.map { day in
        Headline.Part(
          id: "reconciled", text: StyledText("matches Apple to \(day.description.suffix(5))", .good),
          drillDown: .tab(.reconcile))
      }
    }
    let words = StyledText(
      "\(worst.figure.words.lowercased()): \(worst.text(rest)) from Apple unexplained", .warn)
    return Headline.Part(id: "reconciled", text: words, drillDown: .reconciled(worst.figure, worst.currency))
  }

  fileprivate static let noReports = StyledText("No reports from Apple were imported for these days.", .dim)

  /// Result in words, such as `Matches Apple through 2026-06-25.`, or the largest rest.
  var answer: StyledText {
    guard matchesThrough != nil || !rows.isEmpty else { return Self.noReports }
    guard let worst, let rest = worst.finalRest else {
      let last = matchesThrough.map { " through \($0)" } ?? ""
      return StyledText("Matches Apple\(last). Every difference is explained.", .good)
    }
    let share = PercentText.of(worst.restShare ?? 0)
    return StyledText(
      "Largest rest: \(worst.figure.words) \(worst.text(rest)) (\(share)). "
        + (matchesThrough.map { "Matches through \($0)." } ?? "The first day differs."), .warn)
  }
}

extension ReconciledLine {
  fileprivate func text(_ value: Int128) -> String {
    currency.map { MoneyText.of(Money(micros: value, currency: $0)) } ?? CountText.of(Int(clamping: value))
  }

  fileprivate func signed(_ value: Int128, _ style: Style) -> StyledText {
    value == 0 ? StyledText("0", .dim) : StyledText((value > 0 ? "+" : "") + text(value), style)
  }

  /// Whether the store's amount is unknown, because its transactions have no price.
  fileprivate var hasNoPrice: Bool { ours == 0 && causes[.priceMissing] ?? 0 != 0 }

  fileprivate var causeWords: String {
    DifferenceCause.allCases.compactMap { cause in
      causes[cause].map { "\(cause.words) \($0 > 0 ? "+" : "")\(text($0))" }
    }.joined(separator: ", ")
  }
}

extension Payout {
  /// Whether the rest is so small that it rounds to 0 in the text.
  fileprivate var isExplained: Bool { text(rest.magnitude) == text(0) }

  fileprivate func text(_ value: some BinaryInteger) -> String {
    MoneyText.of(Money(micros: Int128(value), currency: currency))
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

  fileprivate func mark(in glyphs: GlyphSet) -> TextSpan {
    switch self {
    case .final: TextSpan(glyphs.tick, .good)
    case .mayChange: TextSpan("?", .warn)
    case .absent: TextSpan("-", .dim)
    }
  }
}

public func text(
  of reconciliation: Reconciliation, _ lines: [ReconciledLine], width: Int = 80, glyphs: GlyphSet = .unicode
) -> String {
  let formatter = DisplayFormatter(glyphs: glyphs)
  let blocks = ReconcilePanel(reconciliation: reconciliation, formatter: formatter).blocks(lines)
  return formatter.printed(blocks, under: [StyledText("Reconcile with Apple", .heading)], width)
}

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
