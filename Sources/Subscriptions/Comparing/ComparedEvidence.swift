/// Decides which figures one side of a comparison knows; without evidence, a figure is unknown rather than 0.
struct ComparedEvidence {
  private let report: Report
  /// Whether figures that need snapshots are unknown, because a snapshot is missing at the report's instant.
  private let isUnseen: Bool
  private let knowsAutoRenew: Bool
  /// First path components of figures that are unknown, because they are all 0 and answers may be missing.
  private let silent: Set<String>

  /// - Parameters:
  ///   - values: Values of the report; if `nil`, figures that are all 0 count as known.
  ///   - isPast: Whether the report is for an earlier instant than the report of the other side.
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
        let known = values.entries.filter { ($0.value?.number ?? 0) != 0 }
        return Self.knownFromAnswers(report.report).subtracting(
          known.map { Self.part(of: $0.path, report.report) })
      } ?? [] : []
  }

  func knows(_ figure: String) -> Bool {
    guard !silent.contains(Self.part(of: figure, report.report)) else { return false }
    guard isUnseen || !knowsAutoRenew,
      let name = FigurePath(figure, of: report.report)?.name
    else { return true }
    if isUnseen, report.report.figure(name)?.needsSnapshots == true { return false }
    return knowsAutoRenew || !Self.isOfAutoRenew(name)
  }

  /// Whether a figure is known only if at least 99 % of the auto-renew statuses are known.
  private static func isOfAutoRenew(_ name: String) -> Bool {
    switch name {
    case "renewing", "auto_renew_off", "trial_auto_renew_off": true
    default: name.hasPrefix("due.") && !name.hasSuffix(".lines")
    }
  }

  private static func knownFromAnswers(_ panel: Panel) -> Set<String> {
    switch panel {
    case .recovery: [""]
    case .upgrades: ["pending"]
    case .offers: ["opt_outs", "price_increases"]
    case .overview, .movement, .active, .billingRetry, .churn, .cohorts, .refunds, .events: []
    }
  }

  /// Returns the first component of a path; empty for recovery figures, which all need the same evidence.
  private static func part(of path: String, _ panel: Panel) -> String {
    panel == .recovery ? (path.hasPrefix("trust.") ? "trust" : "") : String(path.prefix { $0 != "." })
  }
}

extension Report {
  /// Whether a figure of a past instant is unknown because too few validations of that time exist.
  func couldNotKnow(_ path: String) -> Bool { !ComparedEvidence(self, nil, isPast: true).knows(path) }
}
