import Screen
import Subscriptions

/// Returns a report as plain text, for `report --format table`.
///
/// - Parameter width: Columns for charts and paragraphs. Lists take the width that they need.
public func text(
  of report: Report, width: Int = 80, glyphs: GlyphSet = .unicode, zone: Zone = .utc
) -> String {
  let formatter = DisplayFormatter(glyphs: glyphs, zone: zone)
  return formatter.printed(report.blocks(in: formatter), under: report.head(in: formatter), width)
}

/// Returns the first screen of the overview as plain text, for `demo --headless`.
public func firstScreen(of report: Report, width: Int = 80, glyphs: GlyphSet = .unicode) -> String {
  guard report.report == .overview,
    report.trust.advice(environment: report.scope.environment, isReadOnly: false) == nil
  else {
    return text(of: report, width: width, glyphs: glyphs)
  }
  let formatter = DisplayFormatter(glyphs: glyphs)
  let blocks = PanelContent(report: report, formatter: formatter).overviewStart.compactMap(\.self)
  return formatter.printed(blocks, under: report.head(in: formatter), width)
}

extension Report {
  func head(in formatter: DisplayFormatter) -> [StyledText] {
    let asked: [StyledText] = [
      StyledText(report.title), StyledText("as of \(formatter.moment(asOfMs))"),
      StyledText(scope.environment.rawValue),
      StyledText("\(window.words) from \(formatter.minute(window.from + 1))"),
    ]
    let only = [
      scope.products.map { "only \($0.map(\.rawValue).joined(separator: ", "))" },
      scope.storefront.map { "only storefront \($0)" }, scope.offer.map { "only first paid with \($0)" },
    ].compactMap(\.self)
    return [
      (asked + only.map { StyledText($0) }).joined(by: "  "),
      trust.parts(in: formatter.glyphs).joined(by: "  "),
    ]
  }
}

/// Returns chains as plain text, for `chain --format table`.
public func text(
  of chains: [ChainReport], at now: Instant, isOfPast: Bool = false, width: Int = 80,
  glyphs: GlyphSet = .unicode, zone: Zone = .utc
) -> String {
  let formatter = DisplayFormatter(glyphs: glyphs, zone: zone, isOfPast: isOfPast)
  return chains.map { chain in
    let head = StyledText(
      "Subscription history \(chain.originalTransactionId)  as of \(formatter.moment(now))")
    return formatter.printed(chain.blocks(at: now, in: formatter), under: [head], width)
  }
  .joined(separator: "\n")
}

/// Returns the status of the store as plain text, for `status --format table`.
public func text(
  of status: StoreStatus, width: Int = 80, glyphs: GlyphSet = .unicode, zone: Zone = .utc
) -> String {
  let formatter = DisplayFormatter(glyphs: glyphs, zone: zone)
  return formatter.printed(status.blocks(in: formatter), under: ["Store"], width)
}

/// Returns the result of a sweep as plain text, for `sweep --format text`.
public func text(of summary: SweepSummary, width: Int = 80, glyphs: GlyphSet = .unicode) -> String {
  DisplayFormatter(glyphs: glyphs).printed(
    summary.blocks, under: [StyledText(summary.inOneSentence.text)], width)
}

/// Returns recent sweeps as plain text, for `sweeps --format table`.
public func text(
  of sweeps: [SweepRecord], at now: Instant, width: Int = 80, glyphs: GlyphSet = .unicode, zone: Zone = .utc
) -> String {
  let formatter = DisplayFormatter(glyphs: glyphs, zone: zone)
  let list = Block("", .listing(sweeps.listing(at: now, in: formatter)))
  return formatter.printed([list] + sweeps.failures(in: formatter), under: ["Sweeps"], width)
}

public func text(
  of rows: FigureRows, of report: Report, figure: String?, width: Int = 80, glyphs: GlyphSet = .unicode,
  zone: Zone = .utc
) -> String {
  let formatter = DisplayFormatter(glyphs: glyphs, zone: zone)
  let forecast = rows.forecastBlocks(figure, at: report.asOfMs, in: formatter)
  let block = rows.block(
    panel: report.report, figure: figure, environment: report.scope.environment,
    uses: figure.flatMap(report.uses), in: formatter)
  return formatter.printed(forecast + [block], under: report.head(in: formatter), width)
}
