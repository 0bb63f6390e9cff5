import Screen
import Subscriptions

/// A panel as plain text: what `report --format table` prints.
///
/// - Parameter width: columns for charts and paragraphs; lists take what they need.
public func text(of report: Report, width: Int = 80, glyphs: GlyphSet = .unicode) -> String {
  BlockText(width: width, glyphs: glyphs).text(
    of: report.blocks(in: Wording(glyphs: glyphs)), under: report.head(in: glyphs))
}

extension Report {
  /// What was asked, and how far the answer can be trusted.
  func head(in glyphs: GlyphSet) -> [StyledText] {
    let asked: [StyledText] = [
      StyledText(report.title), StyledText("as of \(asOfMs.minuteText) UTC"),
      StyledText(scope.environment.rawValue),
      StyledText("\(window.days) d from \(window.from.minuteText)"),
    ]
    return [asked.joined(by: "  "), trust.parts(in: glyphs).joined(by: "  ")]
  }
}

/// Chains as plain text, judged at an instant: what `chain --format table` prints.
public func text(
  of chains: [ChainReport], at now: Instant, width: Int = 80, glyphs: GlyphSet = .unicode
) -> String {
  chains.map { chain in
    let head = StyledText("Chain \(chain.originalTransactionId)  as of \(now.minuteText) UTC")
    return BlockText(width: width, glyphs: glyphs).text(
      of: chain.blocks(at: now, in: Wording(glyphs: glyphs)), under: [head])
  }
  .joined(separator: "\n")
}

/// The store's health as plain text: what `status --format table` prints.
public func text(of status: StoreStatus, width: Int = 80, glyphs: GlyphSet = .unicode) -> String {
  BlockText(width: width, glyphs: glyphs).text(of: status.blocks(in: glyphs), under: ["Store"])
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
  of sweeps: [SweepRecord], at now: Instant, width: Int = 80, glyphs: GlyphSet = .unicode
) -> String {
  BlockText(width: width, glyphs: glyphs).text(
    of: [Block("", .listing(sweeps.listing(at: now, in: glyphs)))] + sweeps.failures(in: glyphs),
    under: ["Sweeps"])
}
