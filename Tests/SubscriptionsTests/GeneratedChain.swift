import Subscriptions
import TestSupport

extension Chain {
  /// Random chain: rows on time, late or early, some refunded or upgraded, with random validations.
  static func generated(_ seed: UInt64) -> Chain {
    var random = Seeded(seed)
    var (rows, at): ([Transaction], Int64) = ([], 0)
    for number in 0..<Int.random(in: 1...7, using: &random) {
      let product = random.pick("monthly", "monthly", "yearly", "weekly", "euro", "coins")
      let length: Int64 = random.pick(7, 30, 30, 30, 90)
      let start = day(0, hours: at)
      var row = Transaction.make(
        "\(number)", product: product, purchase: start, expires: start + length.days)
      row.isTrialPeriod = random.chance(number == 0 ? 50 : 8)
      if random.chance(15) { row.promotionalOfferID = "SPRING" }
      if random.chance(12) {
        row.cancellationDate = start + Int64.random(in: -2...(length + 40), using: &random).days
        row.cancellationReason = random.pick("0", "1", nil)
      } else if random.chance(12) {
        row.isUpgraded = true
        if random.chance(60) {
          row.cancellationDate = start + Int64.random(in: 0...length, using: &random).days
        }
      }
      rows.append(row)
      let gap: Int64 = random.pick(0, 0, 0, 10, 24, 25, -20, -300, 200, 1000, 1440, 1441, 3000)
      at = max(0, at + length * 24 + gap)
    }
    var seen: [(Instant, RenewalInfo?)] = []
    var t = Int64.random(in: 0...400, using: &random)
    while t < at + 3000, random.chance(90) {
      seen.append((day(0, hours: t), random.chance(85) ? .generated(around: t, &random) : nil))
      t += random.pick(6, 24, 24, 100, 700, 1700)
    }
    return .make(rows, seen: seen, goneAt: random.chance(10) ? day(0, hours: t + 10) : nil)
  }
}

extension EvidenceLedger {
  /// Generated chains with distinct ids, and with other contents for every seed.
  static func generated(
    _ seed: UInt64, chains count: UInt64 = 6, catalog: Catalog = .generated
  ) -> EvidenceLedger {
    let chains = (0..<count).map { number in
      var chain = Chain.generated(seed &* count &+ number)
      chain.originalTransactionID = OriginalTransactionID("\(number)")
      chain.bundleID = BundleID("app")
      return chain
    }
    return EvidenceLedger(chains, receipts: chains.count, catalog: catalog)
  }
}

extension RenewalInfo {
  fileprivate static func generated(around t: Int64, _ random: inout Seeded) -> RenewalInfo {
    .make(
      product: random.pick("monthly", "yearly", "weekly", nil),
      autoRenew: random.pick(true, true, false, nil),
      intent: random.pick(nil, .customerCancelled, .billingError), retry: random.pick(true, false, nil),
      grace: random.chance(30) ? day(0, hours: t + Int64.random(in: -500...500, using: &random)) : nil,
      // Not random, so that adding this left the other values unchanged.
      consent: t % 3 == 0 ? (t % 2 == 0 ? "0" : "1") : nil)
  }
}

extension Catalog {
  static let generated = Catalog([
    .make("yearly", 59_990_000, period: Period(1, .year), group: "G", level: 1),
    .make("monthly", 9_990_000, group: "G", level: 2),
    .make("weekly", 4_990_000, period: Period(1, .week), group: "G", level: 3),
    .make("euro", 4_990_000, group: "G", level: 2, currency: "EUR"),
    .make("monthly", 4_990_000, offer: .promo("SPRING"), group: "G", level: 2),
  ])
}
