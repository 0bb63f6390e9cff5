import Subscriptions

/// One subscriber's part of Apple's reports, from Apple's knowledge on each day. Sandbox testers and family-shared
/// subscriptions are in no report. All days are days since 1970, Pacific.
struct ReportedLife: Sendable {
  private(set) var charges: [ReportedCharge] = []
  private(set) var events: [ReportedEvent] = []
  /// Balance of each line from a day on, in order; `nil` for none.
  private(set) var balances: [[(day: Int, balance: ReportedBalance?)]] = []

  init(of subscriber: Subscriber, until end: Instant) {
    guard !subscriber.isSandbox else { return }
    let known = subscriber.accountGoneFrom.map { min($0 - 1, end) } ?? end
    let life = Life(of: subscriber, until: known)
    for row in life.oneTime where row.visibleFrom <= known {
      add(row, ReportedItem(row.transaction, of: subscriber), of: subscriber, until: known)
    }
    for line in life.lines where !line.customer.isFamilyMember {
      let line = ReportedLine(line, known: known)
      for (place, row) in line.rows.enumerated() {
        add(row, line.items[place], of: subscriber, until: known)
        let (name, previous) = line.purchaseEvent(place)
        let (day, dated) = (row.visibleFrom.pacificDay, row.transaction.purchaseDate.pacificDay)
        events.append(line.event(name, place, day, dated: dated, previous: previous))
        guard let at = row.refundedFrom, at <= known else { continue }
        events.append(line.event("Refund", place, at.pacificDay))
      }
      addStates(of: line, until: end)
    }
  }

  private mutating func addStates(of line: ReportedLine, until end: Instant) {
    var course: [(day: Int, balance: ReportedBalance?)] = []
    var before: ReportedLine.Standing?
    for t in line.boundaries(until: end) {
      let now = line.standing(at: t)
      var day = t.pacificDay
      if let before, let (name, reason) = line.passage(from: before, to: now, at: t) {
        // Apple reports the end of billing retry a day later.
        if name == "Canceled from Billing Retry", reason == "Billing issue" { day += 1 }
        events.append(line.event(name, before.row, day, reason: reason))
      }
      let balance = now.map { ReportedBalance(item: line.items[$0.row], column: $0.column) }
      course.append((max(day, course.last?.day ?? day), balance))
      before = now
    }
    balances.append(course)
  }

  private mutating func add(
    _ row: LifeRow, _ item: ReportedItem, of subscriber: Subscriber, until known: Instant
  ) {
    let (transaction, bought) = (row.transaction, row.transaction.purchaseDate)
    func charge(_ kind: ReportedCharge.Kind, _ amount: Int64, at t: Instant, dated: Instant) {
      charges.append(
        ReportedCharge(
          kind: kind, item: item, amount: amount, customer: subscriber.index, isRenewal: row.isRenewal,
          day: t.pacificDay, eventDay: dated.pacificDay, purchased: bought.pacificDay))
    }
    charge(.sale, item.price, at: row.visibleFrom, dated: bought)
    if let at = row.refundedFrom, at <= known, item.price > 0 {
      let share = transaction.refundedShare ?? 100_000
      charge(.refund, ReportedItem.rounded(item.price, times: share, over: 100_000), at: at, dated: at)
    }
    if let at = row.replacedFrom, at <= known, let expires = transaction.expiresDate {
      let from = max(row.upgradedFrom, bought)
      // Whole days only.
      let unused: Int64 = (expires - from) / Milliseconds.day * Milliseconds.day
      let credit = ReportedItem.rounded(item.price, times: unused, over: expires - bought)
      if credit > 0 { charge(.credit, credit, at: at, dated: from) }
    }
  }
}

extension Instant {
  /// Days since 1970, Pacific.
  var pacificDay: Int { PacificTime.day(of: self).daysSince1970 }
}

extension LifeRow {
  /// `nil` without a refund.
  var refundedFrom: Instant? { transaction.isTakenBack ? max(cancelledFrom, visibleFrom) : nil }
  /// `nil` without an upgrade.
  var replacedFrom: Instant? { transaction.isUpgraded ? max(upgradedFrom, visibleFrom) : nil }
}
