import Screen
import Subscriptions

extension Report {
  /// Returns the panel's blocks, for the screen and for `report --format table`.
  ///
  /// - Parameters:
  ///   - isSweeping: Whether a sweep is running.
  ///   - cohorts: Display options of the cohorts panel.
  func blocks(
    in formatter: DisplayFormatter, isSweeping: Bool = false, isReadOnly: Bool = false,
    cohorts: CohortView = CohortView()
  ) -> [Block] {
    if let advice = trust.advice(environment: scope.environment, isReadOnly: isReadOnly) {
      if isSweeping, trust.receipts > 0, trust.lines == 0 {
        let count = CountText.of(trust.receipts, "receipt")
        return [
          Block(
            "The first answers are on their way",
            .text([StyledText("The App Store is asked about \(count).")]))
        ]
      }
      return [Block(StyledText("Nothing to count yet", .warn), .text(advice))]
    }
    return PanelContent(report: self, formatter: formatter, cohortView: cohorts).blocks
      + [missingRates].compactMap(\.self)
  }

  private var missingRates: Block? {
    guard let reportingCurrency, let unconverted, unconverted > 0 else { return nil }
    return Block(
      StyledText("Not in \(reportingCurrency)", .warn),
      .text([
        [
          TextSpan("\(CountText.of(unconverted, "row")) behind these amounts "),
          TextSpan(unconverted == 1 ? "has" : "have"), TextSpan(" no exchange rate of the day of purchase;"),
        ],
        [TextSpan("subtop import rates FILE", .key), " brings rates in."],
      ]), minimumColumns: 40)
  }

  var windowText: String { "in \(CountText.of(window.days)) d" }
}

extension Trust {
  /// Returns instructions for an empty store or environment; `nil` if there is something to show.
  func advice(environment: EnvironmentScope, isReadOnly: Bool) -> [StyledText]? {
    if hasOneTimePurchases { return nil }
    let here: [TextSpan] = isReadOnly ? [] : [TextSpan(", or "), TextSpan("s", .key), TextSpan(" here,")]
    let sweep = StyledText(
      [TextSpan("subtop sweep", .key)] + here + [TextSpan(" asks the App Store about them.")])
    if receipts == 0, lines == 0 {
      return [
        "The store holds no receipts.", "",
        [TextSpan("subtop import receipts FILE", .key), "  brings them in, one JSON line each;"],
        [TextSpan("subtop import catalog FILE", .key), "   brings the prices;"],
        sweep,
        "", [TextSpan("subtop demo", .key), " shows all of it with made-up subscribers."],
      ]
    }
    guard lines == 0 else { return nil }
    if excludedSandbox > 0 || excludedFamilyShared > 0 {
      let hidden = [
        (excludedSandbox, "sandbox subscription"), (excludedFamilyShared, "family-shared subscription"),
      ]
      .filter { $0.0 > 0 }.map { CountText.of($0.0, $0.1) }.joined(separator: " and ")
      return [
        StyledText("No purchased subscription in \(environment.rawValue); \(hidden) left out."), "",
        [
          TextSpan("e", .key), " goes on to the next environment, as ", TextSpan("--environment", .key),
          " does.",
        ],
      ]
    }
    return [
      StyledText("\(CountText.of(receipts, "receipt")), and no subscription known of yet."), "",
      sweep,
    ]
  }
}
