/// Evidence of one side of a comparison. It decides which figures are known, so that missing evidence does
/// not appear as 0.
struct ComparedEvidence {
  private let report: Report
  /// Whether there are lines in gaps without a snapshot.
  private let isUnseen: Bool
  private let knowsAutoRenew: Bool
  /// First path components of figures that depend on validations of their time and have no value at all.
  private let silent: Set<String>

  /// - Parameters:
  ///   - values: Values of the report; `nil` skips the check for silent figures.
  ///   - isPast: Whether the report's instant is before the one it is compared with.
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

  /// - Parameter figure: Figure behind a value.
  func tells(_ figure: String) -> Bool {
    guard !silent.contains(Self.part(of: figure, report.report)) else { return false }
    guard isUnseen || !knowsAutoRenew,
      let name = FigurePath(figure, of: report.report)?.name
    else { return true }
    if isUnseen, report.report.figure(name)?.needsSnapshots == true { return false }
    return knowsAutoRenew || !Self.isOfAutoRenew(name)
  }

  /// Whether a figure requires known auto-renew statuses. `auto_renew_unknown` does not.
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

  /// First component of the path. All figures of recovery share one, because they depend on the same
  /// evidence.
  private static func part(of path: String, _ panel: Panel) -> String {
    panel == .recovery ? (path.hasPrefix("trust.") ? "trust" : "") : String(path.prefix { $0 != "." })
  }
}

extension FigureValues {
  /// Active lines with unknown auto-renew, and all active lines; `nil` if the panel has no such figures.
  fileprivate var autoRenew: (unknown: Int, all: Int)? {
    let unknown = "auto_renew_unknown"
    guard self[value: unknown] != nil else { return nil }
    return (self[unknown], self["renewing"] + self["auto_renew_off"] + self[unknown])
  }
}

extension Report {
  /// Whether a figure of a past instant is unknown because too few validations of that time exist.
  func couldNotKnow(_ path: String) -> Bool {
    !ComparedEvidence(self, nil, isPast: true).tells(path)
  }
}
