import Subscriptions

/// Subscription whose states and events are derived from its rows and renewal infos.
struct ReportedLine {
  /// Current row, and its place among the counts of a subscription report.
  typealias Standing = (column: Int, row: Int)

  private static let (retry, grace) = (11, 12)

  /// Dates of a row, since those of a transaction are slow to read. A refund or upgrade that never comes is in
  /// the distant future.
  private struct Period {
    let (billed, bought, expires): (Instant, Instant, Instant)
    let (refunded, replaced): (Instant, Instant)
    let isTrial: Bool

    init(_ row: LifeRow) {
      (billed, bought) = (row.visibleFrom, row.transaction.purchaseDate)
      expires = row.transaction.expiresDate ?? bought
      (refunded, replaced) = (row.refundedFrom ?? .distantFuture, row.replacedFrom ?? .distantFuture)
      isTrial = row.transaction.isTrialPeriod
    }
  }

  private let customer: Customer
  private let spans: [RenewalSpan]
  /// Instant after which Apple learns nothing more: the end, or the deletion of the account.
  private let known: Instant
  /// In the order in which Apple billed them, without restored copies.
  let rows: [LifeRow]
  private let periods: [Period]
  private(set) var items: [ReportedItem] = []
  /// Offers, which remain on later renewals.
  private var offers: [SignedOffer?] = []
  private var paidPeriods: [Int] = []

  init(_ line: LineLife, known: Instant) {
    (customer, self.known) = (line.customer, known)
    // A period that is paid late can have changes before its payment, which the store shows after it.
    var latest = Instant.distantPast
    rows = line.rows.filter { !$0.isRestored }.map { row in
      latest = max(latest, row.visibleFrom)
      var row = row
      row.visibleFrom = latest
      return row
    }.filter { $0.visibleFrom <= known }
    latest = .distantPast
    spans = line.spans.filter { span in
      defer { latest = max(latest, span.from) }
      return span.from >= latest && span.from <= known
    }
    periods = rows.map(Period.init)
    for (place, row) in rows.enumerated() {
      let isLate = isPastFirstYear(place)
      let item = ReportedItem(row.transaction, of: customer.subscriber, isPastFirstYear: isLate)
      let continues = place > 0 && !isReturn(place)
      items.append(item)
      offers.append(item.offer ?? (continues ? offers[place - 1] : nil))
      paidPeriods.append((continues ? paidPeriods[place - 1] : 0) + (item.price > 0 ? 1 : 0))
    }
  }

  /// Whether a year of paid, unrefunded service preceded a row, as Apple knew when it billed the row. More
  /// than 60 days without service restart the count.
  private func isPastFirstYear(_ place: Int) -> Bool {
    let (billed, year) = (periods[place].billed, 365 * Milliseconds.day)
    var (paid, end): (Int64, Instant) = (0, .distantPast)
    for (index, period) in periods[...place].enumerated() {
      let (from, isRefunded) = (period.bought, period.refunded <= billed)
      if from > end + 60 * Milliseconds.day { paid = 0 }
      guard index < place else { break }
      let cuts = [period.refunded, period.replaced].filter { $0 <= billed }
      let until = min(period.expires, max(from, cuts.min() ?? period.expires))
      if !period.isTrial, !isRefunded {
        // Daylight saving can shorten a year by an hour.
        let isYear = (year - Milliseconds.hour..<year).contains(until - from)
        paid += isYear ? year : max(0, until - max(from, end))
      }
      end = max(end, until)
    }
    return paid >= year && !periods[place].isTrial
  }

  /// Whether the subscription had ended before a row.
  private func isReturn(_ place: Int) -> Bool {
    let (period, before) = (periods[place], periods[place - 1])
    return before.replaced != period.billed && (!rows[place].isRenewal || before.refunded <= period.bought)
  }

  // MARK: Events

  func event(
    _ name: String, _ place: Int, _ day: Int, dated: Int? = nil, previous: ReportedItem? = nil,
    reason: String? = nil
  ) -> ReportedEvent {
    ReportedEvent(
      name: name, item: items[place], customer: customer.subscriber.index, day: day,
      eventDay: dated ?? day, offer: offers[place], paidPeriods: paidPeriods[place],
      started: periods[0].bought.pacificDay, previous: previous, reason: reason)
  }

  /// Returns the event of a purchase, and the item that it replaces.
  func purchaseEvent(_ place: Int) -> (name: String, previous: ReportedItem?) {
    let (period, item) = (periods[place], items[place])
    guard place > 0 else { return (item.offer.map { "Start \($0.family)" } ?? "Subscribe", nil) }
    let (before, expires) = (items[place - 1], periods[place - 1].expires)
    let (level, oldLevel) = (item.plan?.level ?? 0, before.plan?.level ?? 0)
    let change = level == oldLevel ? "Crossgrade" : level < oldLevel ? "Upgrade" : "Downgrade"
    let previous = item.product == before.product ? nil : before
    let from = before.offer.map { " from \($0.family)" } ?? ""
    if isReturn(place) {
      if let offer = item.offer { return ("Reactivation to \(offer.family)", previous) }
      return ("Reactivate" + (previous == nil ? "" : " with \(change)"), previous)
    }
    if previous != nil { return (change + from, previous) }
    if period.bought > expires { return ("Renewal from Billing Retry", nil) }
    if period.billed > expires { return ("Renewals from Grace Period", nil) }
    if let offer = item.offer { return ("Renewal to \(offer.family)", nil) }
    return (from.isEmpty ? "Renew" : "Paid Subscription\(from)", nil)
  }

  private static let reasons: [ExpirationIntent: String] = [
    .customerCancelled: "Canceled", .billingError: "Billing issue",
    .customerDidNotConsentToPriceIncrease: "Price Increase Consent",
    .productNotAvailable: "Removed From Sale",
  ]

  /// Returns the event of a line that leaves a state without a purchase, and the reason of its end. Returns
  /// `nil` if the line was bought or refunded.
  func passage(
    from old: Standing, to new: Standing?, at t: Instant
  ) -> (name: String, reason: String?)? {
    let running = items[old.row].offer?.family ?? "Paid Subscription"
    switch (old.column, new?.column) {
    case (Self.grace, Self.retry): return ("Billing Retry from Grace Period", nil)
    case (Self.grace, nil) where periods[old.row].refunded > t:
      return ("Canceled from Billing Grace Period", "Canceled")
    case (_, nil) where periods[old.row].refunded > t:
      let reason = info(at: t)?.expirationIntent.flatMap { Self.reasons[$0] } ?? "Other"
      return (old.column == Self.retry ? "Canceled from Billing Retry" : "Cancel", reason)
    case (Self.retry, _): return nil
    case (_, Self.retry): return ("Billing Retry from \(running)", nil)
    case (_, Self.grace) where old.column != Self.grace: return ("Grace Period from \(running)", nil)
    default: return nil
    }
  }

  // MARK: States

  /// Instants at which the state may change, in order.
  func boundaries(until end: Instant) -> [Instant] {
    guard let first = periods.first?.billed else { return [] }
    let all =
      periods.flatMap { [$0.billed, $0.bought, $0.expires, $0.refunded, $0.replaced] }
      + spans.flatMap { [$0.from, $0.info?.gracePeriodExpiresDate ?? $0.from] } + [known + 1]
    return Set(all).filter { first <= $0 && $0 <= end }.sorted()
  }

  private func info(at t: Instant) -> RenewalInfo? {
    t <= known ? spans.last { $0.from <= t }?.info : nil
  }

  /// Returns the counted row from Apple's knowledge at an instant; `nil` if none is counted.
  func standing(at t: Instant) -> Standing? {
    var live: (row: Int, expires: Instant)?
    var refundedEnd = Instant.distantPast
    for (place, period) in periods.enumerated() {
      guard period.billed <= t, period.bought <= t, period.replaced > t else { continue }
      if period.refunded <= t {
        refundedEnd = max(refundedEnd, period.expires)
      } else if live.map({ $0.expires <= period.expires }) ?? true {
        live = (place, period.expires)
      }
    }
    guard let live else { return nil }
    if t < live.expires { return (items[live.row].offer?.column ?? 0, live.row) }
    guard refundedEnd <= live.expires, let info = info(at: t), info.isInBillingRetryPeriod == true else {
      return nil
    }
    return (info.gracePeriodExpiresDate.map { $0 > t } ?? false ? Self.grace : Self.retry, live.row)
  }
}
