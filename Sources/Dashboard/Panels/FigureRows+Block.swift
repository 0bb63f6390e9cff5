import Screen
import Subscriptions

extension FigureRows {
  /// Returns the list of rows; Enter on a row opens its chain.
  ///
  /// - Parameters:
  ///   - figure: Path of the figure; `nil` for the rows of all figures, with a column that names the figures.
  ///   - environment: `.all` adds a column with the environment.
  ///   - everyColumn: Whether to include columns without content, so that a filter can name any column.
  ///   - uses: Numbers of an offer's uses and priced uses; `nil` for other figures, or if all are priced.
  func block(
    panel: Panel, figure: String?, environment: EnvironmentScope, everyColumn: Bool = false,
    uses: OfferUses? = nil, in formatter: DisplayFormatter
  ) -> Block {
    let listing = Listing(
      rows, columns(panel, figure, environment, everyColumn, formatter), total: count,
      emptyText: "No rows.", records: .rows(rows), in: formatter.glyphs
    ) { row in
      Listing.Row(
        id: "\(row.originalTransactionID) \(row.transactionID) \(row.figures.joined(separator: " "))",
        drillDown: .chain(row.originalTransactionID), note: row.reason(in: formatter), amount: row.amount,
        worths: worth(of: row))
    }
    let name = figure.map { FigureWords($0, of: panel, in: formatter.products).name } ?? panel.title
    let of = uses.map {
      TextSpan(" (\(CountText.of($0.priced)) of \(CountText.of($0.started, "use")) priced)", .warn)
    }
    let end = StyledText([of].compactMap(\.self))
    return altered(
      Block(title(name, figure, of: panel) + end, .listing(listing), span: .main)
    ) { $0.brief = title(name, figure, of: panel, isBrief: true) + end }
  }

  /// Returns bars of renewals by due day, which filter the list on Enter; empty for figures without due days.
  func forecastBlocks(_ figure: String?, at t: Instant, in formatter: DisplayFormatter) -> [Block] {
    guard let forecast, let horizon = DueHorizon.of(figure) else { return [] }
    let days = forecast.days(after: t, horizon, formatter.date)
    // The bars show amounts if all are in one currency, else counts.
    let worths = days.map { day in day.expected.inReportingCurrency.map { [$0] } ?? day.expected.totals }
    let isMoney = Set(worths.joined().map(\.currency)).count == 1
    let lengths = zip(days, worths).map { isMoney ? Double($1.first?.micros ?? 0) : Double($0.lines) }
    let counts = CountText.aligned(days.map(\.lines))
    let sums = CountText.aligned(days.map { $0.expected.isEmpty ? "" : MoneyText.brief($0.expected) })
    let bars = days.enumerated().map { place, day in
      let weekday = CivilDate(parsing: day.name).map { "\($0.weekdayName.prefix(3)) " } ?? ""
      var bar = FigureBar(
        weekday + day.name.dropFirst(5), day.lines, .good, text: "\(counts[place])  \(sums[place])",
        drillDown: .filter("when:\(day.name)"))
      (bar.bar.value, bar.bar.top) = (lengths[place], lengths.max())
      return bar
    }
    return stride(from: 0, to: bars.count, by: 16).map { first in
      let part = bars[first..<min(first + 16, bars.count)]
      let title = "Due \(days[first].name) to \(days[part.endIndex - 1].name)"
      return Block(
        StyledText(title), .bars(Array(part)), span: bars.count > 16 ? .card : .wide, minimumColumns: 38)
    }
  }

  private func worth(of row: FigureRow) -> [String: Money] {
    guard let currency = amounts?.reporting, let micros = row.convertedMicros else { return [:] }
    return ["amount": Money(micros: micros, currency: currency)]
  }

  /// Returns a title of name, number of rows and sums; `isBrief` omits the nouns for rows and amounts.
  private func title(
    _ name: String, _ figure: String?, of panel: Panel, isBrief: Bool = false
  ) -> StyledText {
    let lines = rows.count { $0.state != nil }
    let isMixed = figure == nil || rows.isEmpty || (lines > 0 && lines < rows.count)
    let times = figure.flatMap { panel.figure($0)?.countsTimes }
    let noun = times ?? (isMixed ? "row" : lines > 0 ? "subscription" : "transaction")
    let subscriptions = Set(
      rows.map { [$0.originalTransactionID.rawValue, $0.subscriptionGroupID?.rawValue] })
    let isOfFewer = times != nil && rows.count == count && subscriptions.count < count
    let whose = isOfFewer ? " of \(CountText.of(subscriptions.count, "subscription"))" : ""
    let counted = isBrief ? CountText.of(count) : CountText.of(count, noun) + whose
    let title: StyledText = [TextSpan(name, .heading), TextSpan(": \(counted)", .strong)]
    let money = figure.map { FigureWords($0, of: panel).amount } ?? ""
    let isNamed = isBrief || money.isEmpty || name.lowercased().contains(money.lowercased())
    let word = money.hasPrefix("MRR") ? money : money.lowercased()
    let parts = [
      (isNamed ? "" : "\(word) ", amounts ?? Amounts(rows.compactMap(\.amount))),
      ("proceeds ", proceeds ?? Amounts(rows.compactMap(\.proceeds))),
    ]
    let sums = parts.filter { !$0.1.isEmpty }.map { "\($0.0)\(MoneyText.brief($0.1))" }
    guard !sums.isEmpty else { return title }
    let listed = amounts == nil && rows.count < count ? " in the \(CountText.of(rows.count)) listed" : ""
    return title + [TextSpan(", \(sums.joined(separator: ", "))", .money), TextSpan(listed, .dim)]
  }
}

extension FigureRows {
  private func columns(
    _ panel: Panel, _ figure: String?, _ environment: EnvironmentScope, _ everyColumn: Bool,
    _ formatter: DisplayFormatter
  ) -> [Column<FigureRow>] {
    let glyphs = formatter.glyphs
    func amount(
      _ title: String, priority: Int = 0, _ amount: @escaping (FigureRow) -> Money?
    ) -> Column<FigureRow> {
      Column(.number(title, priority: priority)) {
        amount($0).map { StyledText(MoneyText.of($0), .money) }
      }.optional()
    }
    let money = figure.map { FigureWords($0, of: panel).amount } ?? "Amount"
    let isDue = DueHorizon.of(figure) != nil
    let counted = ListingColumn.name("Counted in", least: 20, most: 60, priority: 2)
    let isConverted = rows.contains { $0.amount != nil && $0.amount?.currency != amounts?.reporting }
    let isSigned = rows.contains { $0.amount != nil && $0.priceSource == .signed }
    return [
      Column(counted.present(everyColumn || figure == nil), code: { $0.figures.joined(separator: " ") }) {
        let names = $0.figures.map { FigureWords($0, of: panel).name }
        return StyledText(names.joined(separator: "; "), .dim)
      }, .chain { $0.originalTransactionID },
      Column(.number("Left", priority: 1)) { $0.timeLeft.map(StyledText.left) }.optional(),
      .user(priority: 5) { $0.appUserID }.optional(),
      Column(.whole("Environment", priority: 9).present(everyColumn || environment == .all)) {
        .environment($0.environment)
      }.leftOutIfAlike(), .product(in: formatter) { $0.productID }.leftOutIfAlike(),
      Column(.whole("Kind", priority: 7), code: { $0.kind }) { .kind($0.kind) }.leftOutIfAlike(),
      Column(.name("Offer", least: 12, priority: 8, cut: .middle)) { $0.offer.map { StyledText($0) } }
        .optional().leftOutIfAlike(), .storefront(priority: 8) { $0.storefront }.leftOutIfAlike(),
      Column(.whole("State", priority: 4), code: \.state?.rawValue) {
        $0.state.map { StyledText($0.mark(in: glyphs), $0.style) }
      }.optional().leftOutIfAlike(),
      .minute(.whole(isDue ? "Expires" : "When", priority: isDue ? 0 : 3).named("when"), in: formatter) {
        $0.at
      }, amount(money) { $0.amount }.named("amount"),
      .converted(to: amounts?.reporting, in: glyphs) { isConverted ? worth(of: $0)["amount"] : nil },
      Column(
        .whole("Priced by", priority: 10).present(everyColumn || isSigned), code: \.priceSource?.rawValue
      ) { .priceSource($0.priceSource) }.leftOutIfAlike(), amount("Proceeds", priority: 2) { $0.proceeds },
      Column(.name("Why", least: 20, most: 120, priority: 6)) { StyledText($0.reason(in: formatter)) }
        .leftOutIfAlike(),
    ]
  }
}

extension StyledText {
  static func priceSource(_ source: PriceSource?) -> StyledText? {
    source.map { $0 == .signed ? "Apple" : StyledText($0.rawValue, .dim) }
  }
}

extension FigureRow {
  /// Returns the text with a loss's reason before its change of state, which is the same in most rows.
  private static func reasonFirst(_ why: String) -> String {
    let flow = [Flow.lost, .trialLost].map { "\($0.wordsByThemselves): " }.first(where: why.hasPrefix)
    guard let flow, let comma = why.firstRange(of: ", ") else { return why }
    return "\(why[comma.upperBound...]), \(why[..<comma.lowerBound].dropFirst(flow.count))"
  }

  /// Returns why the row is counted, without the state, which has its own column.
  func reason(in formatter: DisplayFormatter) -> String {
    let why = Self.reasonFirst(ReasonWords(why, without: state).text)
    guard let proration else { return why }
    let times = formatter.glyphs.isASCII ? "x" : "×"
    let (unused, whole) = (
      AgeText.exactDays(proration.unusedMilliseconds), AgeText.exactDays(proration.wholeMilliseconds)
    )
    return why.replacing(
      proration.text, with: "\(MoneyText.of(proration.price)) \(times) \(unused) unused of \(whole)")
  }
}
