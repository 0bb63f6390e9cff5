import ReceiptStore
import Subscriptions
import TestSupport

struct LivedWorld {
  enum Kind: String, CaseIterable {
    case plain
    /// With exchange rates and a reporting currency.
    case converted
    /// With signed transactions that have storefronts and prices.
    case signed
  }

  static let storefronts = ["DEU", "USA", "JPN"].map(StorefrontCode.init)

  let seed: UInt64
  let kind: Kind
  let shelf: Shelf
  private let world: World

  init(_ seed: UInt64, _ kind: Kind = .plain) throws {
    (self.seed, self.kind, world, shelf) = (seed, kind, World(seed: seed), try Shelf())
    if kind == .converted {
      _ = try shelf.store.add(Self.rates(seed), reporting: Self.reportingCurrency(seed))
    }
    try shelf.live(world)
    if kind == .signed { try addSignedRows() }
  }

  var store: ReceiptStore { shelf.store }

  var days: [Instant] { world.days }

  var last: Instant { world.days.last ?? day(0) }

  static func reportingCurrency(_ seed: UInt64) -> CurrencyCode {
    [CurrencyCode("EUR"), CurrencyCode("GBP"), CurrencyCode("USD")][Int(seed % 3)]
  }

  /// Daily rates from day -60, without weekends, so that earlier purchases have no rate.
  static func rates(_ seed: UInt64) -> [PublishedRate] {
    var random = Seeded(seed)
    return (-60...200).filter { day($0).civilDate.weekday % 6 != 0 }.flatMap { at in
      [("USD", 1_050_000...1_250_000), ("GBP", 800_000...900_000)].map { currency, range in
        PublishedRate(
          base: CurrencyCode("EUR"), currency: CurrencyCode(currency), day: day(at).civilDate.daysSince1970,
          picos: Int64.random(in: range, using: &random) * 1_000_000)
      }
    }
  }

  private func addSignedRows() throws {
    for row in Self.signedRows(world, seed) { _ = try store.add([row], at: row.observedAt ?? day(0)) }
  }

  /// Signed copies of rows, some with another id, a later expiry, no storefront, or a refund percentage.
  static func signedRows(_ world: World, _ seed: UInt64) -> [ImportedAnswer] {
    var random = Seeded(seed &+ 4711)
    var rows: [ImportedAnswer] = []
    for answer in world.stories.compactMap(\.answers.last) {
      let at = (answer.requestDate ?? day(0)) + 1
      for row in answer.transactions where random.chance(75) {
        var (row, terms) = (row, SignedTerms(signedAt: at))
        terms.storefront = random.chance(85) ? Self.storefronts.randomElement(using: &random) : nil
        if random.chance(60) {
          terms.price = Money(
            micros: random.pick(4_990_000, 9_990_000), currency: CurrencyCode(random.pick("EUR", "USD")))
          (terms.pricedAt, terms.pricedSince) = (at, at)
        }
        if row.webOrderLineItemID != nil, random.chance(20) {
          row.transactionID = TransactionID(row.transactionID.rawValue + "7")
          if random.chance(30) { row.expiresDate = row.expiresDate.map { $0 + 14.days } }
        }
        if let date = row.cancellationDate, random.chance(50) {
          terms.add(.init(date: date, signedAt: at, type: "REFUND_PRORATED", percentage: 30_000))
        }
        row.terms = terms
        let signed = Answer(
          environment: answer.environment, bundleID: answer.bundleID, requestDate: at, transactions: [row])
        let text = SignedText(header: "header", payload: "\(row.transactionID) \(at)", signature: "s")
        rows.append(ImportedAnswer(answer: signed, status: 0, observedAt: at, signed: text))
      }
    }
    return rows
  }

  func derived() throws -> [[String]] {
    let others: [String] =
      switch kind {
      case .plain: ["episodes", "cohort_classes"]
      case .converted: ["ledger_state"]
      case .signed: []
      }
    return try (["transactions", "lines", "spans", "events", "sums"] + others).map { try shelf.table($0) }
  }
}
