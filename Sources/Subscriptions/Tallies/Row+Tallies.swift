extension Row {
  /// What the row adds to figures.
  func marks(of line: Line, _ catalog: Catalog) -> [TallyMark] {
    let environment = line.id.environment
    func mark(
      _ family: TallyFamily, at t: Instant, _ detail: String = "", _ amount: Money? = nil
    ) -> TallyMark {
      TallyMark(
        t, TallyKey(family, environment, product: productID, detail: detail, currency: amount?.currency),
        TallyValue(count: 1, micros: amount?.micros ?? 0))
    }
    let price = price?.amount
    // Of a refund, not of a revocation.
    let refundedAt = isRefund ? refundedAt : nil
    let bought = BoughtDetail(
      isPaid: kind.isPaid, arrival: arrival, isPastFirstYear: isPastFirstYear, isRefunded: refundedAt != nil,
      priceMicros: price?.micros, app: line.bundleID)
    // The price is told by the detail.
    var boughtMark = mark(.bought, at: purchase, bought.text)
    boughtMark.key.currency = price?.currency
    var marks = [boughtMark]
    if price == nil { marks.append(mark(.unpriced, at: purchase)) }
    if let change { marks.append(mark(.change, at: purchase, change.direction.rawValue)) }
    if let upgrade {
      if let instant = upgrade.instant {
        marks.append(
          mark(
            .upgrade, at: instant, "\(upgrade.direction.rawValue) \(upgrade.isConfirmed ? "1" : "0")",
            upgrade.proratedRefund))
      } else {
        marks.append(mark(.undated, at: purchase))
      }
    }
    if let refundedAt {
      marks.append(mark(.refund, at: refundedAt, transaction.cancellationReason ?? "", price))
    }
    if let outcome {
      marks.append(
        kind == .trial
          ? mark(.trialEnd, at: effectiveEnd, outcome.rawValue)
          : mark(.due, at: expires, DueDetail(outcome: outcome, period: period(catalog)).text))
    }
    return marks
  }
}

/// What a bought row is counted by, as `TallyKey.detail` spells it.
public struct BoughtDetail: Hashable, Sendable {
  public var isPaid: Bool
  public var arrival: Arrival
  public var isPastFirstYear: Bool
  public var isRefunded: Bool
  /// In the key's currency; nil is unpriced.
  public var priceMicros: Int64?
  public var app: BundleID?

  public var text: String {
    let price = priceMicros.map(String.init) ?? "-"
    return
      "\(isPaid ? "1" : "0") \(arrival.rawValue) \(isPastFirstYear ? "1" : "0") \(isRefunded ? "1" : "0") \(price) \(app?.rawValue ?? "")"
  }
}

extension BoughtDetail {
  /// Reads `text`.
  public init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false)
    guard words.count == 6, let arrival = Arrival(rawValue: String(words[1])) else { return nil }
    self.init(
      isPaid: words[0] == "1", arrival: arrival, isPastFirstYear: words[2] == "1",
      isRefunded: words[3] == "1",
      priceMicros: Int64(words[4]), app: words[5].isEmpty ? nil : BundleID(String(words[5])))
  }
}

/// What a paid row that came due is counted by, as `TallyKey.detail` spells it.
public struct DueDetail: Hashable, Sendable {
  public var outcome: PeriodOutcome
  /// Nil is unknown.
  public var period: Period?

  var text: String { "\(outcome.rawValue) \(period?.iso8601 ?? "-")" }
}

extension DueDetail {
  /// Reads `text`.
  public init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, let outcome = PeriodOutcome(rawValue: String(words[0])) else { return nil }
    self.init(outcome: outcome, period: Period(parsing: String(words[1])))
  }
}
