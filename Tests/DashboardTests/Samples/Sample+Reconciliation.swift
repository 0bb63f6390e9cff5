import Subscriptions

extension Sample {
  /// Comparison over four days with Apple's reports, of a store without subscriptions.
  ///
  /// - Parameters:
  ///   - renewals: Number of renewals in Apple's reports of the second day.
  ///   - absent: Indices of days without subscription reports.
  static func reconciliation(renewals: Int64, absent: Set<Int> = []) -> Reconciliation {
    let days = (0..<4).map { CivilDate(daysSince1970: 20_600 + $0) }
    func report(_ kind: AppleReportKind, _ day: CivilDate) -> AppleReport {
      AppleReport(kind: kind, vendor: "80000001", from: day, through: day)
    }
    func row(_ measure: AppleMeasure, units: Int64) -> AppleReportRow {
      var row = AppleReportRow(
        day: days[1], measure: measure, appleID: "1", storefront: StorefrontCode("USA"))
      (row.product, row.units) = (ProductID("com.example.pro"), units)
      return row
    }
    var sale = row(.sale, units: renewals)
    sale.price = Money(micros: 9_990_000, currency: CurrencyCode("USD"))
    sale.amount = Money(micros: 9_990_000 * renewals, currency: CurrencyCode("USD"))
    let rows = [
      DatedAppleRow(report(.events, days[1]), row(AppleMeasure(event: "Renew"), units: renewals)),
      DatedAppleRow(report(.sales, days[1]), sale),
      DatedAppleRow(report(.events, days[1]), row(AppleMeasure(event: "Price Increase Consent"), units: 2)),
    ]
    let kinds: [AppleReportKind] = [.subscription, .events, .sales]
    let reports = kinds.flatMap { kind in
      days.indices.filter { kind != .subscription || !absent.contains($0) }.map { report(kind, days[$0]) }
    }
    return Reconciliation(
      OwnFigures(EvidenceLedger([], catalog: .empty), days: days[0]...days[3]),
      AppleRows(renewals > 0 ? rows : []), reports: reports
    ) { _ in [] }
  }
}
