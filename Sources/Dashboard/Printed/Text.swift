import Screen
import Subscriptions

/// A panel as plain text: what `report --format table` prints.
///
/// - Parameter width: columns for charts and paragraphs; lists take what they need.
public func text(
  of report: Report, width: Int = 80, glyphs: GlyphSet = .unicode, zone: Zone = .utc
) -> String {
  let wording = Wording(glyphs: glyphs, zone: zone)
  return BlockText(width: width, glyphs: glyphs).text(
    of: report.blocks(in: wording), under: report.head(in: wording))
}

/// The overview's beginning as plain text, no longer than a screen: what `demo --headless` prints.
public func firstScreen(of report: Report, width: Int = 80, glyphs: GlyphSet = .unicode) -> String {
  guard report.report == .overview,
    report.trust.advice(environment: report.scope.environment, isReadOnly: false) == nil
  else {
    return text(of: report, width: width, glyphs: glyphs)
  }
  let wording = Wording(glyphs: glyphs)
  return BlockText(width: width, glyphs: glyphs).text(
    of: OverviewPanel(figures: report.data, report: report, wording: wording).first,
    under: report.head(in: wording))
}

extension Report {
  /// What was asked, and how far the answer can be trusted.
  func head(in wording: Wording) -> [StyledText] {
    let asked: [StyledText] = [
      StyledText(report.title), StyledText("as of \(wording.moment(asOfMs))"),
      StyledText(scope.environment.rawValue),
      StyledText("\(CountText.of(window.days)) d from \(wording.minute(window.from))"),
    ]
    let only = [
      scope.products.map { "only \($0.map(\.rawValue).joined(separator: ", "))" },
      scope.storefront.map { "only storefront \($0)" }, scope.offer.map { "only first paid by \($0)" },
    ].compactMap(\.self)
    return [
      (asked + only.map { StyledText($0) }).joined(by: "  "),
      trust.parts(in: wording.glyphs).joined(by: "  "),
    ]
  }
}

/// Chains as plain text, judged at an instant: what `chain --format table` prints.
///
/// - Parameter isOfPast: whether that instant has passed.
public func text(
  of chains: [ChainReport], at now: Instant, isOfPast: Bool = false, width: Int = 80,
  glyphs: GlyphSet = .unicode, zone: Zone = .utc
) -> String {
  let wording = Wording(glyphs: glyphs, zone: zone, isOfPast: isOfPast)
  return chains.map { chain in
    let head = StyledText("Subscription history \(chain.originalTransactionId)  as of \(wording.moment(now))")
    return BlockText(width: width, glyphs: glyphs).text(
      of: chain.blocks(at: now, in: wording), under: [head])
  }
  .joined(separator: "\n")
}

/// The store's health as plain text: what `status --format table` prints.
public func text(
  of status: StoreStatus, width: Int = 80, glyphs: GlyphSet = .unicode, zone: Zone = .utc
) -> String {
  BlockText(width: width, glyphs: glyphs).text(
    of: status.blocks(in: Wording(glyphs: glyphs, zone: zone)), under: ["Store"])
}

/// What a sweep came to, as plain text: what `sweep --format text` ends with.
public func text(of summary: SweepSummary, width: Int = 80, glyphs: GlyphSet = .unicode) -> String {
  BlockText(width: width, glyphs: glyphs).text(
    of: summary.blocks(in: glyphs), under: [StyledText(summary.inOneSentence.text)])
}

/// The last sweeps as plain text: what `sweeps --format table` prints.
///
/// - Parameter now: the instant that ages are told of.
public func text(
  of sweeps: [SweepRecord], at now: Instant, width: Int = 80, glyphs: GlyphSet = .unicode, zone: Zone = .utc
) -> String {
  let wording = Wording(glyphs: glyphs, zone: zone)
  return BlockText(width: width, glyphs: glyphs).text(
    of: [Block("", .listing(sweeps.listing(at: now, in: wording)))] + sweeps.failures(in: wording),
    under: ["Sweeps"])
}
