import Screen
import Subscriptions

/// Headline of the overview: the main cause of the change in MRR, and issues that need attention.
extension PanelContent {
  var headline: Headline {
    let needs = [options.reconciled].compactMap(\.self) + needs
    return Headline(lines: [
      movement + [scope].compactMap(\.self),
      needs.isEmpty
        ? [Headline.Part(id: "nothing", text: StyledText("Nothing needs attention.", .dim))] : needs,
    ])
  }

  /// Change of MRR and its main cause: `MRR -2.1 % in 28 d: USD -179.82 from 18 lost on pro.monthly`.
  ///
  /// A larger cause with the opposite sign follows: `despite USD +309.69 from 31 new on pro.yearly`.
  private var movement: [Headline.Part] {
    guard let change = figures.revenueChange else { return [] }
    func mover(_ rest: TextSpan) -> [Headline.Part] {
      [Headline.Part(id: "mover", text: [TextSpan("MRR", .strong), rest])]
    }
    if let sandbox = report.scope.environment.sandboxRemark {
      return mover(TextSpan(" \(sandbox), whose periods last minutes", .warn))
    }
    let difference = change.endMicros - change.startMicros
    guard difference != 0 else {
      return mover(TextSpan(" unchanged \(window)", .dim))
    }
    let whole: StyledText = [
      TextSpan("MRR ", .strong),
      TextSpan(text(of: change), Style(difference > 0 ? .good : .bad, .bold)),
      TextSpan(" \(window)", .dim),
    ]
    guard let first = change.movers.first else { return [Headline.Part(id: "mover", text: whole)] }
    return [part("mover", first, change, after: whole + [TextSpan(": ")])]
      + change.movers.dropFirst().map {
        part("mover.\($0.figure)", $0, change, after: StyledText("despite ", .dim))
      }
  }

  private func part(
    _ id: String, _ mover: RevenueChange.Mover, _ change: RevenueChange, after whole: StyledText = []
  ) -> Headline.Part {
    let product = mover.productId.map { " on \(formatter.products.name(of: $0))" } ?? ""
    let amount = about(change) + MoneyText.signed(Money(micros: mover.micros, currency: change.currency))
    return Headline.Part(
      id: id,
      text: whole + [TextSpan(amount, .money), TextSpan(" from \(mover.words(on: product))")],
      // A change of exchange rates has no rows.
      drillDown: mover.lines == 0 ? nil : .rows(Breakdown(mover.figure, of: .movement)))
  }

  /// Coverage such as `USD, 812 of 1,204 subscriptions`; `nil` without `linesBehind`, or with sandbox data.
  private var scope: Headline.Part? {
    guard report.scope.environment.sandboxRemark == nil, let change = figures.revenueChange,
      let lines = linesBehind(change)
    else { return nil }
    return Headline.Part(id: "scope", text: StyledText("\(change.currency), \(lines) subscriptions", .dim))
  }

  /// Paid subscriptions that a change covers, such as `812 of 1,204`; `nil` if all, or with one currency.
  func linesBehind(_ change: RevenueChange) -> String? {
    let all = figures["active_paid"]
    guard change.currencies > 1,
      change.currency != figures[amounts: "mrr"].reporting || change.lines < all
    else { return nil }
    return "\(CountText.of(change.lines)) of \(CountText.of(all))"
  }

  /// Returns the change of MRR in percent, or as an amount if MRR was 0 or the percentage rounds to 0.0 %.
  private func text(of change: RevenueChange) -> String {
    let difference = change.endMicros - change.startMicros
    let sign = difference > 0 ? "+" : "-"
    if change.startMicros > 0 {
      let share = ChangeText.of(Double(difference) / Double(change.startMicros), in: glyphs)
      if !ChangeText.isNothing(share) { return share.hasSuffix("%") ? sign + share : share }
    }
    return about(change) + MoneyText.signed(Money(micros: difference, currency: change.currency))
  }

  private func about(_ change: RevenueChange) -> String {
    change.currencies > 1 && change.currency == figures[amounts: "mrr"].reporting ? "\(glyphs.about) " : ""
  }

  private var needs: [Headline.Part] {
    let atRisk = figures[amounts: "at_risk_mrr.billing_retry"]
    let money: StyledText =
      atRisk.isEmpty
      ? [] : [TextSpan(", "), TextSpan(MoneyText.brief(atRisk), .money), TextSpan(" a month at risk")]
    return [
      report.isUnseen("billing_retry") ? nil : need("billing_retry", "in billing retry", .bad, money),
      refundsBefore.flatMap { before in
        need(
          "refunds", figures["refunds"] == 1 ? "refund" : "refunds", .bad,
          StyledText(", up from \(CountText.of(before))", .dim))
      },
      need(
        "sales.unpriced",
        figures["sales.unpriced"] == 1 ? "unpriced purchase" : "unpriced purchases", .warn),
      need(
        "overdue",
        figures["overdue"] == 1 ? "unverified subscription" : "unverified subscriptions", .warn),
    ].compactMap(\.self)
  }

  /// Number of refunds in the previous window.
  ///
  /// It is `nil` if there were none, or if this window has fewer than ten, or fewer than twice as many.
  private var refundsBefore: Int? {
    guard figures["refunds"] >= 10, let before = trend.series("refunds")?.before,
      before > 0, before * 2 <= figures["refunds"]
    else { return nil }
    return Int(clamping: before)
  }

  private func need(
    _ figure: String, _ noun: String, _ style: Style, _ rest: StyledText = ""
  ) -> Headline.Part? {
    guard figures[figure] > 0 else { return nil }
    return Headline.Part(
      id: figure, text: [TextSpan(CountText.of(figures[figure]), style), TextSpan(" \(noun)")] + rest,
      drillDown: .rows(Breakdown(figure)))
  }
}

extension EnvironmentScope {
  /// Remark that MRR includes test purchases, whose periods last only minutes; `nil` for production.
  var sandboxRemark: String? {
    switch self {
    case .production: nil
    case .sandbox: "of sandbox test purchases"
    case .all: "including sandbox test purchases"
    }
  }
}

extension RevenueChange.Mover {
  /// Returns words such as `18 lost on pro.monthly, price increase declined`.
  fileprivate func words(on product: String) -> String {
    let count = CountText.of(lines)
    let figure = name.split(separator: ".").last.map(String.init) ?? name
    if figure == Movement.exchangeRates { return "exchange rates of renewals" }
    if figure == Movement.otherProducts[0] { return "\(count) switched in" }
    if figure == Movement.otherProducts[1] { return "\(count) switched out" }
    if name.hasPrefix("lost_by_reason"), let kind = LossKind(rawValue: figure) {
      return "\(count) lost\(product), \(kind.words)\([.other, .unknown].contains(kind) ? " reason" : "")"
    }
    switch Flow(rawValue: figure) {
    case .new?: return "\(count) new\(product)"
    case .toRetry?: return "\(count) entered billing retry\(product)"
    case .toOverdue?: return "\(count) unverified\(product)"
    case .toUnattributed?: return "\(count) lapsed\(product), cause unknown"
    case .toTrial?: return "\(count)\(product) back to a trial"
    case .expansion?: return "\(count) changed to a more expensive product"
    case .contraction?: return "\(count) changed to a cheaper product"
    case .repriced?: return "\(count) repriced"
    case .returned?: return "\(count) returned\(product), cause unknown"
    case let flow?: return "\(count) \(flow.words.lowercased())\(product)"
    case nil: return "\(count)\(product)"
    }
  }
}
