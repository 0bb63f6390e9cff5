import Subscriptions
import TestSupport

/// True history of a chain, which answers reveal in parts.
struct Life {
  let number: Int
  let isSandbox: Bool
  private var rows: [Transaction] = []
  private var upgrades: [TransactionID: Instant] = [:]
  private var reversals: [TransactionID: Instant] = [:]
  /// Instants at which a refund's date changed, and the new date.
  private var redated: [TransactionID: (at: Instant, date: Instant)] = [:]
  /// Instants at which a period was extended, and by how much in all.
  private var extensions: [TransactionID: [(at: Instant, by: Int64)]] = [:]

  var id: String { "\(100 + number)" }

  init(number: Int, _ random: inout Seeded) {
    self.number = number
    isSandbox = random.chance(15)
    let isShared = random.chance(10)
    let group: String? = random.pick("G", "G", "G", "H", nil)
    var start = day(Int.random(in: -200...60, using: &random))
    for index in 0..<Int.random(in: 1...6, using: &random) {
      var row = period(index, from: start, group: group, &random)
      if isShared || random.chance(2) { row.inAppOwnershipType = .familyShared }
      if let expires = row.expiresDate {
        start = random.pick(
          expires, expires, expires, expires - 6.hours, row.purchaseDate + (expires - row.purchaseDate) / 3,
          expires + 1.days, expires + 1.days + 1, expires + 20.days, expires + 60.days, expires + 70.days)
        if start < expires - 1.days || random.chance(6) {
          upgrades[row.transactionID] = start
          row.cancellationDate = random.pick(nil, start, start + 5000, start + 9.days, start - 40.days)
        } else if random.chance(18) {
          row.cancellationDate = row.purchaseDate + Int.random(in: 0...80, using: &random).days
          row.cancellationReason = random.pick("0", "1", nil, "7")
        }
      }
      change(row, &random)
      if row.expiresDate == nil {
        // A copy of the generator, so that adding this left the other values unchanged.
        var random = random
        if random.chance(40) {
          row.cancellationDate = row.purchaseDate + Int.random(in: 0...80, using: &random).days
          change(row, &random)
        }
      }
      add(row, &random)
    }
  }

  /// Adds changes after the purchase: refunds that are reversed or redated, and extensions.
  private mutating func change(_ row: Transaction, _ random: inout Seeded) {
    if let cancelled = row.cancellationDate, upgrades[row.transactionID] == nil, random.chance(30) {
      let at = cancelled + Int.random(in: 1...30, using: &random).days
      redated[row.transactionID] = (at, random.pick(at, at - 1.days, cancelled - 1.days))
    }
    if let cancelled = row.cancellationDate, upgrades[row.transactionID] == nil, random.chance(40) {
      reversals[row.transactionID] = cancelled + Int.random(in: 1...60, using: &random).days
    }
    guard random.chance(15) else { return }
    extensions[row.transactionID] = (0..<Int.random(in: 1...2, using: &random)).map { _ in
      (day(Int.random(in: -20...120, using: &random)), random.pick(14.days, 30.days, -7.days))
    }.sorted { $0.at < $1.at }
  }

  private mutating func add(_ row: Transaction, _ random: inout Seeded) {
    rows.append(row)
    if row.expiresDate == nil, row.originalPurchaseDate != nil, random.chance(40) {
      var restored = row
      restored.transactionID = TransactionID(row.transactionID.rawValue + "8")
      restored.purchaseDate = row.purchaseDate + random.pick(0, 3.days, 40.days)
      if random.chance(30) { restored.cancellationDate = nil }
      rows.append(restored)
    }
    guard random.chance(10), row.webOrderLineItemID != nil else { return }
    var restored = row
    restored.transactionID = TransactionID(row.transactionID.rawValue + "9")
    upgrades[restored.transactionID] = upgrades[row.transactionID]
    if random.chance(50), upgrades[row.transactionID] == nil { restored.cancellationDate = nil }
    rows.append(restored)
  }

  private func period(
    _ index: Int, from start: Instant, group: String?, _ random: inout Seeded
  ) -> Transaction {
    let product = random.pick("monthly", "monthly", "plus", "weekly", "yearly", "unlisted", "coins")
    let days = ["monthly": 30, "plus": 31, "weekly": 7, "yearly": 365, "unlisted": 28][product]
    var row = Transaction.make(
      "\(number + 1)0\(index)", chain: id, product: product, purchase: start,
      expires: days.map { start + $0.days })
    guard row.expiresDate != nil else {
      if random.chance(70) { row.originalPurchaseDate = start }
      return row
    }
    if random.chance(75) { row.webOrderLineItemID = WebOrderLineItemID("w\(row.transactionID)") }
    row.subscriptionGroupIdentifier = group.map(SubscriptionGroupID.init)
    if index == 0, random.chance(40) {
      row.isTrialPeriod = true
      row.expiresDate = start + 7.days
    } else if random.chance(25) {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: row.isInIntroOfferPeriod = true
      case 1: row.promotionalOfferID = "SPRING"
      case 2: (row.offerCodeRefName, row.promotionalOfferID) = ("FRIEND", "uuid")
      default: row.offerCodeRefName = "UNLISTED"
      }
    }
    return row
  }

  /// Rows as an answer at `now` shows them: renewals up to a day ahead, and only past cancellations.
  func rows(seenAt now: Instant, _ random: inout Seeded) -> [Transaction] {
    rows.filter { $0.purchaseDate <= now + 1.days }.map { row in
      var row = row
      row.isUpgraded = upgrades[row.transactionID].map { $0 <= now } ?? false
      if let by = extensions[row.transactionID]?.last(where: { $0.at <= now })?.by {
        row.expiresDate = row.expiresDate.map { $0 + by }
      }
      let isBack = reversals[row.transactionID].map { $0 <= now } ?? false
      let isCancelled = !isBack && row.cancellationDate.map { $0 <= now } ?? false
      if !isCancelled || (upgrades[row.transactionID] != nil && !row.isUpgraded) {
        row.cancellationDate = nil
        row.cancellationReason = nil
      } else if let redated = redated[row.transactionID], redated.at <= now {
        row.cancellationDate = redated.date
      }
      return row
    }
  }

  /// Returns one renewal info as a rule, rarely a second for another product, sometimes none.
  func infos(at now: Instant, _ random: inout Seeded) -> [RenewalInfo] {
    let product = rows.last { $0.purchaseDate <= now && $0.expiresDate != nil }?.productID.rawValue
    guard let product, !random.chance(10) else { return [] }
    var info = RenewalInfo.make(
      chain: id, product: product, next: random.pick(nil, nil, "weekly", "yearly"),
      autoRenew: random.pick(true, true, false, nil),
      intent: random.pick(
        nil, nil, .customerCancelled, .billingError, .customerDidNotConsentToPriceIncrease, .other,
        .unknown("8")),
      retry: random.pick(nil, true, false),
      grace: random.chance(30) ? now + Int.random(in: -30...30, using: &random).days : nil,
      consent: random.pick(nil, nil, "0", "1"))
    if random.chance(10) { info.originalTransactionID = nil }
    guard random.chance(10) else { return [info] }
    return [info, .make(chain: id, product: "weekly", autoRenew: random.pick(true, false), retry: true)]
  }
}
