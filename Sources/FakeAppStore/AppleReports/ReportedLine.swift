import Subscriptions

/// Subscription in Apple's reports, whose states and events are derived from its rows and renewal infos.
struct ReportedLine {
  /// Column that counts a subscription in a subscription report, and the index of its current purchase.
  typealias Standing = (column: String, place: Int)

  private static let (retry, grace) = ("Billing Retry", "Grace Period")

  /// Purchases in the order in which Apple billed them, without restored copies.
  let purchases: [ReportedPurchase]
  private let spans: [RenewalSpan]
  /// Instant after which Apple learns nothing more: the end of the reports, or the account's deletion.
  private let known: Instant

  init(_ line: LineLife, known: Instant) {
    self.known = known
    let rows = line.rows.filter { !$0.isRestored }
    let firstPaid = rows.first { !$0.transaction.isTrialPeriod }?.transaction.purchaseDate ?? .distantFuture
    // Changes of a period that was paid late may be dated before the payment, but are visible only after it.
    var latest = Instant.distantPast
    purchases = rows.map { row in
      latest = max(latest, row.visibleFrom)
      // Daylight saving can shorten a year by an hour.
      let isPastFirstYear = row.transaction.purchaseDate - firstPaid > 364 * Milliseconds.day
      return ReportedPurchase(
        row, of: line.customer.subscriber, billed: latest, isPastFirstYear: isPastFirstYear)
    }.filter { $0.billed <= known }
    latest = .distantPast
    spans = line.spans.filter { span in
      defer { latest = max(latest, span.from) }
      return span.from >= latest && span.from <= known
    }
  }

  // MARK: Events

  /// Returns Apple's name for the event of the purchase at the index `place`.
  func arrival(_ place: Int) -> String {
    let purchase = purchases[place]
    guard place > 0 else { return purchase.offer.map { "Start \($0.family)" } ?? "Subscribe" }
    let before = purchases[place - 1]
    if before.replaced != purchase.billed, !purchase.isRenewal || before.refunded <= purchase.bought {
      return purchase.offer.map { "Reactivation to \($0.family)" } ?? "Reactivate"
    }
    if let plan = purchase.plan, let old = before.plan, plan.id != old.id {
      return plan.level == old.level ? "Crossgrade" : plan.level < old.level ? "Upgrade" : "Downgrade"
    }
    if purchase.bought > before.expires { return "Renewal from Billing Retry" }
    if purchase.billed > before.expires { return "Renewals from Grace Period" }
    if let offer = purchase.offer { return "Renewal to \(offer.family)" }
    return before.offer.map { "Paid Subscription from \($0.family)" } ?? "Renew"
  }

  /// Returns the event and Pacific day of a change of state without a purchase; `nil` if there is no event.
  func passage(from old: Standing, to new: Standing?, at t: Instant) -> (name: String, day: Int)? {
    let purchase = purchases[old.place]
    let (running, day) = (purchase.offer?.family ?? "Paid Subscription", t.pacificDay)
    switch (old.column, new?.column) {
    case (_, nil) where purchase.refunded <= t: return nil
    case (Self.grace, nil): return ("Canceled from Billing Grace Period", day)
    case (Self.retry, nil):
      // Apple reports a day later that billing retry ended without a payment.
      return ("Canceled from Billing Retry", day + (info(at: t)?.expirationIntent == .billingError ? 1 : 0))
    case (_, nil): return ("Cancel", day)
    case (Self.grace, Self.retry): return ("Billing Retry from Grace Period", day)
    case (Self.retry, _), (Self.grace, _): return nil
    case (_, Self.retry): return ("Billing Retry from \(running)", day)
    case (_, Self.grace): return ("Grace Period from \(running)", day)
    default: return nil
    }
  }

  // MARK: States

  /// Instants at which the state may change, in order.
  func boundaries(until end: Instant) -> [Instant] {
    guard let first = purchases.first?.billed else { return [] }
    let all =
      purchases.flatMap { [$0.billed, $0.bought, $0.expires, $0.refunded, $0.replaced] }
      + spans.flatMap { [$0.from, $0.info?.gracePeriodExpiresDate ?? $0.from] } + [known + 1]
    return Set(all).filter { first <= $0 && $0 <= end }.sorted()
  }

  private func info(at t: Instant) -> RenewalInfo? {
    t <= known ? spans.last { $0.from <= t }?.info : nil
  }

  /// Returns the column that counts the line at `t`, and its current purchase; `nil` if no column counts it.
  func standing(at t: Instant) -> Standing? {
    let begun = purchases.indices.filter { place in
      let purchase = purchases[place]
      return purchase.billed <= t && purchase.bought <= t && purchase.replaced > t
    }
    let refundedEnd = begun.filter { purchases[$0].refunded <= t }.map { purchases[$0].expires }.max()
    let live = begun.filter { purchases[$0].refunded > t }
      .max { (purchases[$0].expires, $0) < (purchases[$1].expires, $1) }
    guard let live else { return nil }
    let (offer, expires) = (purchases[live].offer, purchases[live].expires)
    if t < expires { return (offer?.balance ?? "Active Standard Price Subscriptions", live) }
    guard refundedEnd ?? expires <= expires, let info = info(at: t), info.isInBillingRetryPeriod == true
    else { return nil }
    return (info.gracePeriodExpiresDate.map { $0 > t } ?? false ? Self.grace : Self.retry, live)
  }
}

// MARK: Rows

extension ReportRows {
  /// Adds the rows about a subscriber up to the last day; testers and shared subscriptions have no rows.
  ///
  /// - Parameter delay: Days to add to the dates of events.
  mutating func add(_ subscriber: Subscriber, delay: Int) {
    guard !subscriber.isSandbox else { return }
    let end = PacificTime.end(of: CivilDate(daysSince1970: days.upperBound))
    let known = subscriber.accountGoneFrom.map { min($0 - 1, end) } ?? end
    let life = Life(of: subscriber, until: known)
    for row in life.oneTime where row.visibleFrom <= known {
      add(ReportedPurchase(row, of: subscriber, billed: row.visibleFrom), until: known, delay)
    }
    for line in life.lines where !line.customer.isFamilyMember {
      let line = ReportedLine(line, known: known)
      for (place, purchase) in line.purchases.enumerated() {
        add(purchase, until: known, delay)
        let (billed, dated) = (purchase.billed.pacificDay, purchase.bought.pacificDay)
        addEvent(line.arrival(place), of: purchase, on: billed, dated: dated + delay)
        guard purchase.refunded <= known else { continue }
        let day = purchase.refunded.pacificDay
        addEvent("Refund", of: purchase, on: day, dated: day + delay)
      }
      addStates(of: line, until: end, delay)
    }
  }

  private mutating func addStates(of line: ReportedLine, until end: Instant, _ delay: Int) {
    var (current, since): (ReportedLine.Standing?, Int) = (nil, days.lowerBound)
    func change(to next: ReportedLine.Standing?, on day: Int) {
      let day = max(day, since)
      if let current, since < day {
        var fields = line.purchases[current.place].fields
        fields[current.column] = Self.number
        add(.subscription, on: since, 1, fields)
        add(.subscription, on: day, -1, fields)
      }
      (current, since) = (next, day)
    }
    for t in line.boundaries(until: end) {
      let standing = line.standing(at: t)
      let event = current.flatMap { line.passage(from: $0, to: standing, at: t) }
      if let event, let current {
        addEvent(event.name, of: line.purchases[current.place], on: event.day, dated: event.day + delay)
      }
      change(to: standing, on: event?.day ?? t.pacificDay)
    }
    change(to: nil, on: days.upperBound + 1)
  }

  private mutating func addEvent(_ name: String, of purchase: ReportedPurchase, on day: Int, dated: Int) {
    let fields = [
      "Event": name, "Event Date": CivilDate(daysSince1970: dated).dashed, "Quantity": Self.number,
    ]
    add(.events, on: day, 1, purchase.fields.merging(fields) { $1 })
  }

  private mutating func add(_ purchase: ReportedPurchase, until known: Instant, _ delay: Int) {
    for charge in purchase.charges(until: known) {
      let (day, isSale) = (charge.billed.pacificDay, charge.units > 0)
      let settled = purchase.settled(day)
      guard days.contains(day) || days.contains(settled) else { continue }
      let (dated, bought) = (charge.dated.pacificDay + delay, purchase.bought.pacificDay)
      let date = CivilDate(daysSince1970: day).slashed
      let proceeds = purchase.proceeds(of: Int64(charge.amount.magnitude)).decimal
      let fields = purchase.fields.merging([
        "Customer Price": charge.amount.decimal, "Developer Proceeds": proceeds, "Partner Share": proceeds,
        "Extended Partner Share": (isSale ? "" : "-") + proceeds, "Begin Date": date, "End Date": date,
        "Transaction Date": date, "Settlement Date": CivilDate(daysSince1970: settled).slashed,
        "Sale or Return": isSale ? "S" : "R", "Quantity": isSale ? "1" : "-1",
        "Units": charge.units == 0 ? "0" : Self.number, "Subscriber ID": purchase.subscriberID,
        "Event Date": CivilDate(daysSince1970: dated).dashed, "Refund": isSale ? "" : "Yes",
        "Purchase Date": isSale ? "" : CivilDate(daysSince1970: bought).dashed,
      ]) { $1 }
      let number = charge.units == 0 ? 1 : charge.units
      add(.sales, on: day, number, fields)
      if purchase.plan != nil { add(.subscriber, on: day, number, fields) }
      if charge.amount != 0 { add(.financeDetail, on: settled, 1, fields) }
    }
  }
}

extension Instant {
  var pacificDay: Int { PacificTime.day(of: self).daysSince1970 }
}
