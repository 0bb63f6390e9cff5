import Screen
import Subscriptions

extension Report {
  func blocks(in formatter: DisplayFormatter, _ options: PanelOptions = PanelOptions()) -> [Block] {
    if let advice = trust.advice(environment: scope.environment, isReadOnly: options.isReadOnly) {
      if options.isSweeping, trust.receipts > 0, trust.lines == 0 {
        let count = CountText.of(trust.receipts, "receipt")
        return [
          Block(
            "Waiting for the first answers",
            .text([StyledText("Checking \(count) with the App Store.")]))
        ]
      }
      return [Block(StyledText("Nothing to count yet", .warn), .text(advice))]
    }
    return PanelContent(report: self, formatter: formatter, options: options).blocks
      + [missingRates].compactMap(\.self)
  }

  private var missingRates: Block? {
    guard let reportingCurrency, let unconverted, unconverted > 0 else { return nil }
    return Block(
      StyledText("Not in \(reportingCurrency)", .warn),
      .text([
        [
          TextSpan("\(CountText.of(unconverted, "row")) behind these amounts "),
          TextSpan(unconverted == 1 ? "has" : "have"), TextSpan(" no exchange rate for the purchase date;"),
        ],
        [TextSpan("subtop import rates FILE", .key), " imports rates."],
      ]), minimumColumns: 40)
  }

  var windowText: String { "in \(window.period.map { "\($0)" } ?? window.words)" }

  /// Whether a figure's balance at the window's end is unknown because some lines were not checked in time.
  func isUnseen(_ path: String) -> Bool { trend.series(path)?.values.last == .some(nil) }
}

extension Window {
  var words: String {
    guard let period else { return "\(CountText.of(days)) d" }
    return "\(period)\(isWhole ? "" : " to date")"
  }
}

extension Trust {
  /// Returns instructions for an empty store or environment; `nil` if it has lines or one-time purchases.
  func advice(environment: EnvironmentScope, isReadOnly: Bool) -> [StyledText]? {
    if hasOneTimePurchases { return nil }
    let here: [TextSpan] = isReadOnly ? [] : [TextSpan(", or "), TextSpan("s", .key), TextSpan(" here,")]
    let sweep = StyledText(
      [TextSpan("subtop sweep", .key)] + here + [TextSpan(" checks them with the App Store.")])
    if receipts == 0, lines == 0 {
      return [
        "The store holds no receipts.", "",
        [TextSpan("subtop import receipts FILE", .key), "  imports them, one JSON line each;"],
        [TextSpan("subtop import catalog FILE", .key), "   imports the prices;"],
        sweep,
        "", [TextSpan("subtop demo", .key), " shows everything with made-up subscribers."],
      ]
    }
    guard lines == 0 else { return nil }
    if excludedSandbox > 0 || excludedFamilyShared > 0 {
      let hidden = [
        (excludedSandbox, "sandbox subscription"), (excludedFamilyShared, "family-shared subscription"),
      ]
      .filter { $0.0 > 0 }.map { CountText.of($0.0, $0.1) }.joined(separator: " and ")
      return [
        StyledText("No purchased subscriptions in \(environment.rawValue); \(hidden) excluded."), "",
        [
          TextSpan("e", .key), " switches to the next environment, like ", TextSpan("--environment", .key),
          ".",
        ],
      ]
    }
    return [
      StyledText("\(CountText.of(receipts, "receipt")), no subscriptions known yet."), "",
      sweep,
    ]
  }
}
