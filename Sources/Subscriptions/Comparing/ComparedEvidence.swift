/// Which figures of a side could be known: of others, 0 would be said of what nobody had asked Apple about.
struct ComparedEvidence {
  private let report: Report
  /// Lines in gaps that no snapshot saw.
  private let isUnseen: Bool
  private let knowsAutoRenew: Bool
  /// First parts of the paths of figures that only answers of their time could tell, and that told nothing at all.
  private let silent: Set<String>

  /// - Parameters:
  ///   - values: the report's; nil takes it for known that nothing was told.
  ///   - isPast: whether it is of an instant before the one that is compared with it.
  init(_ report: Report, _ values: ReportValues?, isPast: Bool) {
    self.report = report
    isUnseen =
      isPast
      && report.trend.series.contains { series in
        series.values.last == .some(nil) && report.report.figure(series.figure)?.needsSnapshots == true
      }
    knowsAutoRenew = report.data.autoRenew.map { $0.unknown * 100 <= $0.all } ?? true
    silent =
      isPast
      ? values.map { values in
        let told = values.entries.filter { ($0.value?.number ?? 0) != 0 }
        return Self.toldByAnswers(report.report).subtracting(
          told.map { Self.part(of: $0.path, report.report) })
      } ?? [] : []
  }

  /// - Parameter figure: the one behind a value.
  func tells(_ figure: String) -> Bool {
    guard !silent.contains(Self.part(of: figure, report.report)) else { return false }
    guard isUnseen || !knowsAutoRenew,
      let name = FigurePath(figure, of: report.report)?.name
    else { return true }
    if isUnseen, report.report.figure(name)?.needsSnapshots == true { return false }
    return knowsAutoRenew || !Self.isOfAutoRenew(name)
  }

  /// Besides how many subscriptions it is unknown of.
  private static func isOfAutoRenew(_ name: String) -> Bool {
    switch name {
    case "renewing", "auto_renew_off", "trial_auto_renew_off": true
    default: name.hasPrefix("due.") && !name.hasSuffix(".lines")
    }
  }

  private static func toldByAnswers(_ panel: Panel) -> Set<String> {
    switch panel {
    case .recovery: [""]
    case .upgrades: ["pending"]
    case .offers: ["opt_outs", "price_increases"]
    case .overview, .movement, .active, .billingRetry, .churn, .cohorts, .refunds, .events: []
    }
  }

  /// All that recovery tells is of one evidence.
  private static func part(of path: String, _ panel: Panel) -> String {
    panel == .recovery ? (path.hasPrefix("trust.") ? "trust" : "") : String(path.prefix { $0 != "." })
  }
}

extension FigureValues {
  /// Of how many active lines auto-renew is unknown; nil where the panel does not tell. Of one in a hundred it hides no movement.
  fileprivate var autoRenew: (unknown: Int, all: Int)? {
    let unknown = "auto_renew_unknown"
    guard self[value: unknown] != nil else { return nil }
    return (self[unknown], self["renewing"] + self["auto_renew_off"] + self[unknown])
  }
}

extension Report {
  /// Of an instant before another that it is held against: whether only answers of its time could have told a figure, and too few did.
  func couldNotKnow(_ path: String) -> Bool {
    !ComparedEvidence(self, nil, isPast: true).tells(path)
  }
}
