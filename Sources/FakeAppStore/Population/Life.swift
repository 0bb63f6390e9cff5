import Subscriptions

/// Generated history of a subscriber up to an instant: subscription lines and one-time purchases.
struct Life: Sendable {
  let lines: [LineLife]
  let oneTime: [LifeRow]

  static let empty = Life(lines: [], oneTime: [])

  private init(lines: [LineLife], oneTime: [LifeRow]) { (self.lines, self.oneTime) = (lines, oneTime) }

  init(of subscriber: Subscriber, until: Instant) {
    lines = subscriber.customers.map { LineLife(of: $0, until: until) }
    oneTime = subscriber.oneTimeRows
  }

  var rows: [LifeRow] { lines.flatMap(\.rows) + oneTime }

  func lastChange(upTo t: Instant) -> Instant? {
    let starts = lines.flatMap(\.spans).map(\.from).filter { $0 <= t }
    return (rows.compactMap { $0.lastChange(upTo: t) } + starts).max()
  }
}

extension LineLife {
  func transactions(at t: Instant) -> [Transaction] { rows.compactMap { $0.transaction(at: t) } }

  /// Returns the chain's entry in `pending_renewal_info`; `nil` if there is none yet or Apple has removed it.
  func renewalInfo(at t: Instant) -> RenewalInfo? {
    spans.reduce(into: nil) { (latest: inout RenewalSpan?, span) in
      if span.from <= t, span.from >= latest?.from ?? .distantPast { latest = span }
    }?.info
  }
}

extension Subscriber {
  var customers: [Customer] {
    var random = SplitMix64(seed: seed, index: index, stream: 2)
    var customer = Customer(subscriber: self, track: 0, group: FakeCatalog.membership, starts: starts)
    customer.tookCode = tookCode
    let isLoyal = random.chance(0.02)
    customer.restlessness = isLoyal ? 0.05 : 0.5 + random.unit()
    customer.isFounder = kind == .paying && !isNewcomer && random.chance(0.02)
    customer.prefersWeekly = isLoyal && kind == .paying && random.chance(0.5) && stories == nil
    guard hasSecondGroup else { return [customer] }
    let later = random.between(0, max(0, founded - starts) + 60 * Milliseconds.day)
    var second = Customer(
      subscriber: self, track: 1, group: FakeCatalog.atelier, starts: (starts + later).wholeSecond)
    second.restlessness = customer.restlessness
    return [customer, second]
  }

  /// Rows of one-time purchases, which have no expiry; each is a chain of its own.
  var oneTimeRows: [LifeRow] {
    var random = SplitMix64(seed: seed, index: index, stream: 3)
    let ids = Customer(subscriber: self, track: 7, group: FakeCatalog.membership, starts: starts)
    return (0..<oneTimePurchases).map { serial in
      let back = random.between(Milliseconds.hour, 400 * Milliseconds.day)
      let at = (stories == nil || kind == .shopper ? founded - back : starts + back).wholeSecond
      let product = serial == 1 ? FakeCatalog.nonConsumable : FakeCatalog.consumables[serial % 2]
      let id = ids.transactionID(serial)
      var row = Transaction(
        transactionID: id, originalTransactionID: OriginalTransactionID(id.rawValue), productID: product,
        purchaseDate: at)
      row.originalPurchaseDate = at
      row.appAccountToken = appAccountToken
      guard random.chance(0.05) else { return LifeRow(transaction: row, visibleFrom: at) }
      let cancelled = (at + random.between(Milliseconds.day, 60 * Milliseconds.day)).wholeSecond
      row.cancellationDate = cancelled
      row.cancellationReason = random.chance(0.3) ? "1" : "0"
      return LifeRow(transaction: row, visibleFrom: at, cancelledFrom: cancelled)
    }
  }
}

/// Data that the App Store shows for one subscriber at an instant.
public struct SubscriberHistory: Sendable {
  public var transactions: [Transaction]
  public var oneTime: [Transaction]
  public var renewalInfos: [RenewalInfo]
}

extension Subscriber {
  /// Returns the history at an instant; rows never disappear, but may be refunded or marked as upgraded.
  public func history(until t: Instant) -> SubscriberHistory {
    let life = Life(of: self, until: t)
    return SubscriberHistory(
      transactions: life.lines.flatMap { $0.transactions(at: t) },
      oneTime: life.oneTime.compactMap { $0.transaction(at: t) },
      renewalInfos: life.lines.compactMap { $0.renewalInfo(at: t) })
  }
}
