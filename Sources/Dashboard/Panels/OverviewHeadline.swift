import Screen
import Subscriptions

/// Headline of the overview: the main cause of the change in MRR, and issues that need attention.
struct OverviewHeadline {
  let figures: FigureValues
  let report: Report
  let formatter: DisplayFormatter

  var headline: Headline {
    let needs = needs
    return Headline(lines: [
      movement + [scope].compactMap(\.self),
      needs.isEmpty
        ? [Headline.Part(id: "nothing", text: StyledText("Nothing needs anybody now.", .dim))] : needs,
    ])
  }

  /// `MRR -2.1 % in 28 d: 18 lost on pro.monthly, price not agreed (USD -179.82)`.
  ///
  /// If a larger change had the opposite sign, it follows: `although 31 new on pro.monthly (USD +309.69)`.
  private var movement: [Headline.Part] {
    if let sandbox = report.scope.environment.sandboxRemark, figures.revenueChange != nil {
      return [
        Headline.Part(
          id: "mover",
          text: [TextSpan("MRR", .strong), TextSpan(" \(sandbox), whose periods last minutes", .warn)])
      ]
    }
    guard let change = figures.revenueChange else { return [] }
    let difference = change.endMicros - change.startMicros
    guard difference != 0 else {
      return [
        Headline.Part(
          id: "mover", text: [TextSpan("MRR", .strong), TextSpan(" as it was \(days) ago", .dim)])
      ]
    }
    let whole: StyledText = [
      TextSpan("MRR ", .strong),
      TextSpan(text(of: change), Style(difference > 0 ? .good : .bad, .bold)),
      TextSpan(" \(report.windowText)", .dim),
    ]
    guard let first = change.movers.first else { return [Headline.Part(id: "mover", text: whole)] }
    return [part("mover", first, change, after: whole + [TextSpan(": ")])]
      + change.movers.dropFirst().map {
        part("mover.\($0.figure)", $0, change, after: StyledText("although ", .dim))
      }
  }

  private func part(
    _ id: String, _ mover: RevenueChange.Mover, _ change: RevenueChange, after whole: StyledText = []
  ) -> Headline.Part {
    let product = mover.productId.map { " on \(formatter.products.name(of: $0))" } ?? ""
    let amount = about(change) + MoneyText.signed(Money(micros: mover.micros, currency: change.currency))
    return Headline.Part(
      id: id,
      text: whole + [TextSpan(mover.words(on: product)), TextSpan(" (\(amount))", .money)],
      // No rows are behind exchange rates.
      drillDown: mover.lines == 0 ? nil : .rows(Breakdown(mover.figure, of: .movement)))
  }

  /// `USD, 812 of 1,204 subscriptions`: what the headline covers, if it does not cover all.
  private var scope: Headline.Part? {
    guard report.scope.environment.sandboxRemark == nil else { return nil }
    return figures.revenueChange.flatMap { change in
      change.linesOf(figures).map {
        Headline.Part(id: "scope", text: StyledText("\(change.currency), \($0) subscriptions", .dim))
      }
    }
  }

  /// Signed change of MRR: a percentage as in the tile below, or an amount if the percentage rounds to zero.
  private func text(of change: RevenueChange) -> String {
    let difference = change.endMicros - change.startMicros
    let sign = difference > 0 ? "+" : "-"
    if change.startMicros > 0 {
      let share = ChangeText.of(Double(difference) / Double(change.startMicros), in: formatter.glyphs)
      if !ChangeText.isNothing(share) { return share.hasSuffix("%") ? sign + share : share }
    }
    return about(change) + MoneyText.signed(Money(micros: difference, currency: change.currency))
  }

  /// Mark for amounts that include converted ones.
  private func about(_ change: RevenueChange) -> String {
    change.currencies > 1 && change.currency == figures[amounts: "mrr"].reporting
      ? "\(formatter.glyphs.about) " : ""
  }

  private var days: String { "\(CountText.of(report.window.days)) d" }

  private var needs: [Headline.Part] {
    var parts: [Headline.Part] = []
    if figures["billing_retry"] > 0 {
      let atRisk = figures[amounts: "at_risk_mrr.billing_retry"]
      let money: StyledText =
        atRisk.isEmpty
        ? [] : [TextSpan(", "), TextSpan(MoneyText.brief(atRisk), .money), TextSpan(" a month at risk")]
      parts.append(
        part(
          "billing_retry",
          [TextSpan(CountText.of(figures["billing_retry"]), .bad), TextSpan(" in billing retry")] + money))
    }
    if let before = refundsBefore {
      parts.append(
        part(
          "refunds",
          [
            TextSpan(CountText.of(figures["refunds"]), .bad),
            TextSpan(figures["refunds"] == 1 ? " refund" : " refunds"),
            TextSpan(", \(CountText.of(before)) before", .dim),
          ]))
    }
    if figures["sales.unpriced"] > 0 {
      let noun = figures["sales.unpriced"] == 1 ? " purchase without a price" : " purchases without a price"
      parts.append(
        part("sales.unpriced", [TextSpan(CountText.of(figures["sales.unpriced"]), .warn), TextSpan(noun)]))
    }
    if figures["overdue"] > 0 {
      let noun =
        figures["overdue"] == 1 ? " subscription not confirmed yet" : " subscriptions not confirmed yet"
      parts.append(part("overdue", [TextSpan(CountText.of(figures["overdue"]), .warn), TextSpan(noun)]))
    }
    return parts
  }

  /// Refunds of the window before, if they have at least doubled since and are not few.
  private var refundsBefore: Int? {
    guard figures["refunds"] >= 10, let before = report.trend.series("refunds")?.before,
      before > 0, before * 2 <= figures["refunds"]
    else { return nil }
    return Int(clamping: before)
  }

  private func part(_ figure: String, _ text: StyledText) -> Headline.Part {
    Headline.Part(id: figure, text: text, drillDown: .rows(Breakdown(figure)))
  }
}

extension EnvironmentScope {
  /// Remark on MRR that includes test purchases; `nil` for production.
  ///
  /// Sandbox periods last minutes, so movements of their MRR have no meaning.
  var sandboxRemark: String? {
    switch self {
    case .production: nil
    case .sandbox: "of sandbox's test purchases"
    case .all: "with sandbox's test purchases"
    }
  }
}

extension RevenueChange {
  /// Number of paid subscriptions that it covers, such as `812 of 1,204`; `nil` if it covers all.
  func linesOf(_ figures: FigureValues) -> String? {
    guard currencies > 1, currency != figures[amounts: "mrr"].reporting || lines < figures["active_paid"]
    else { return nil }
    return "\(CountText.of(lines)) of \(CountText.of(figures["active_paid"]))"
  }
}

extension RevenueChange.Mover {
  /// `18 lost on pro.monthly, price not agreed`
  fileprivate func words(on product: String) -> String {
    let count = CountText.of(lines)
    let figure = name.split(separator: ".").last.map(String.init) ?? name
    if figure == Movement.exchangeRates { return "exchange rates of renewals" }
    if figure == Movement.otherProducts[0] { return "\(count) switched in" }
    if figure == Movement.otherProducts[1] { return "\(count) switched out" }
    if name.hasPrefix("lost_by_reason"), let kind = LossKind(rawValue: figure) {
      return "\(count) lost\(product), \(kind.words)"
    }
    switch Flow(rawValue: figure) {
    case .new?: return "\(count) new\(product)"
    case .toRetry?: return "\(count)\(product) to billing retry"
    case .toOverdue?: return "\(count)\(product) not confirmed yet"
    case .toUnattributed?: return "\(count)\(product) away, unknown why"
    case .toTrial?: return "\(count)\(product) back to a trial"
    case .expansion?: return "\(count) to a dearer product"
    case .contraction?: return "\(count) to a cheaper product"
    case .repriced?: return "\(count) at another price"
    case .returned?: return "\(count) returned\(product), unknown how"
    case let flow?: return "\(count) \(flow.words.lowercased())\(product)"
    case nil: return "\(count)\(product)"
    }
  }
}
