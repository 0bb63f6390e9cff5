import Screen
import Subscriptions

extension ComparedReports {
  func blocks(in formatter: DisplayFormatter) -> [Block] {
    let omission = comparison.omission(of: this.report).map { sentence in
      Block("Left out", .text([StyledText(sentence)]), span: .wide)
    }
    return [omission, list(in: formatter)].compactMap(\.self)
  }

  private func list(in formatter: DisplayFormatter) -> Block {
    let glyphs = formatter.glyphs
    let sides = comparison.sides(self, in: formatter)
    return Block(
      [
        TextSpan(this.report.title, .heading),
        TextSpan(": \(periods ?? comparison.words(of: this.report, in: formatter))"),
        TextSpan(isKnown ? "" : " (no data)", .warn), TextSpan(days, .dim),
      ], shown,
      [
        Column(.name("Figure", least: 24, cut: .middle)) { StyledText($0.shortLabel(in: self, formatter)) },
        Column(.number(sides.this).named("this")) { $0.text($0.this, .strong) },
        Column(.number(sides.that).named("that")) { $0.text($0.that, .text) },
        Column(.number("Difference", priority: 2)) { $0.differenceText(of: this.report) },
        Column(.number("Change", priority: 1)) { $0.changeText(in: self, glyphs) },
      ], emptyText: "No figures on either side.", span: .main, records: .compared(shown), in: glyphs
    ) { figure in
      Listing.Row(
        id: "\(figure.path) \(figure.currency?.rawValue ?? "")\(figure.isConverted ? " all" : "")",
        drillDown: FigurePath(figure.figure, of: this.report) == nil ? nil : .sides(figure.figure),
        note: figure.label(in: self, formatter))
    }
  }

  /// Calendar periods of the sides, such as `2026-11 and 2026-10`.
  ///
  /// It is `nil` for cohorts, if a side is not a calendar period, or if both sides are the same period.
  private var periods: String? {
    guard this.report != .cohorts, let first = this.window.period, let second = that.window.period,
      first != second
    else { return nil }
    return "\(first) and \(second)"
  }

  /// End of the title, such as `, 28 d each` or `, to the same day`; empty if the title needs neither.
  private var days: String {
    guard this.window != that.window, this.report != .cohorts else { return "" }
    guard periods == nil else { return this.window.isWhole ? "" : ", to the same day" }
    return ", \(CountText.of(Int((this.window.to - this.window.from) / Milliseconds.day))) d each"
  }
}

extension ComparedReports.Figure {
  func label(in reports: ComparedReports, _ formatter: DisplayFormatter) -> String {
    let panel = reports.this.report
    if let months = averagedMonths {
      let whose = reports.comparison.isOfOneCohort ? "" : ", average of all cohorts"
      return "Share active after \(months)\(whose)"
    }
    let name = FigureWords(figure, of: panel).name
    let product = FigurePath(figure, of: panel)?.product.map { ", \(formatter.products.name(of: $0))" } ?? ""
    // The prefix distinguishes a part of MRR from the number of subscribers with the same name.
    let what = path.hasPrefix("mrr_parts.") ? "MRR, \(name.lowercased())" : name
    return what + product + measure(in: panel) + (isConverted ? " \(formatter.glyphs.about)" : "")
  }

  /// Returns the label for the table: without details, and with the month if several cohorts are compared.
  fileprivate func shortLabel(in reports: ComparedReports, _ formatter: DisplayFormatter) -> String {
    let isOfOne = reports.comparison.isOfOneCohort
    if let months = averagedMonths { return isOfOne ? "After \(months)" : "On average, after \(months)" }
    let parts = path.split(separator: ".").map(String.init)
    guard reports.this.report == .cohorts, parts.count == 3 || parts.count == 5 else {
      // The frame's lower edge shows the full label.
      let label = label(in: reports, formatter)
      let end = (figure == "churn_rate" ? [" (lost"] : [" declined (intent ", " (intent "])
        .lazy.compactMap { label.firstRange(of: $0) }.first
      return end.map { String(label[..<$0.lowerBound]) } ?? label
    }
    let what = parts.count == 5 ? "after \(Self.months(parts[3]))" : "subscribers"
    return isOfOne ? what.prefix(1).uppercased() + what.dropFirst() : "From \(parts[1]), \(what)"
  }

  private var averagedMonths: String? {
    let parts = path.split(separator: ".").map(String.init)
    return parts.count == 3 && parts[0] == "average" ? Self.months(parts[1]) : nil
  }

  private static func months(_ count: String) -> String { count == "1" ? "1 month" : "\(count) months" }

  private func measure(in panel: Panel) -> String {
    switch path.split(separator: ".").last {
    case "users": ", users"
    case "rate": ", share"
    case "at_stake_mrr": ", MRR"
    case "mrr" where path.hasPrefix("standing."): ", MRR"
    default: panel == .recovery && path.hasPrefix("mrr.") ? ", MRR" : ""
    }
  }

  fileprivate func text(_ value: ReportValue?, _ style: Style) -> StyledText {
    guard let value else { return StyledText("unknown", .dim) }
    return StyledText(
      ValueText.of(value), value.number == 0 ? .dim : value.currency == nil ? style : .money)
  }

  fileprivate func differenceText(of panel: Panel) -> StyledText {
    guard let difference else { return "" }
    if isUnchanged, difference.number != 0 { return StyledText(ValueText.zero(like: difference), .dim) }
    return StyledText(difference.number == 0 ? "0" : ValueText.difference(difference), style(of: panel))
  }

  private var isUnchanged: Bool {
    difference.map { !ValueText.of($0).contains { ("1"..."9").contains($0) } } ?? true
  }

  fileprivate func changeText(in reports: ComparedReports, _ glyphs: GlyphSet) -> StyledText {
    guard let difference, !isUnchanged, !isOfUnknown else { return "" }
    let panel = reports.this.report
    let sign = difference.number > 0 ? glyphs.ascending : glyphs.descending
    guard let change else {
      // A figure is not new if both sides are from the same time.
      let fromNone = reports.comparison.isOfOneTime ? "only here" : "new"
      return StyledText(that?.number == 0 ? "\(sign) \(fromNone)" : sign, style(of: panel))
    }
    return StyledText("\(sign) \(ChangeText.of(change, in: glyphs))", style(of: panel))
  }

  private func style(of panel: Panel) -> Style {
    guard let difference, !isUnchanged else { return .dim }
    return panel.rise(of: path).style(rises: difference.number > 0, neutral: .text)
  }
}

public func text(
  of reports: ComparedReports, width: Int = 80, glyphs: GlyphSet = .unicode, zone: Zone = .utc
) -> String {
  let formatter = DisplayFormatter(glyphs: glyphs, zone: zone)
  return formatter.printed(reports.blocks(in: formatter), under: reports.this.head(in: formatter), width)
}

extension ComparedReports {
  public var label: String {
    let formatter = DisplayFormatter(glyphs: .unicode)
    return comparison.words(of: this.report, in: formatter)
  }
}
