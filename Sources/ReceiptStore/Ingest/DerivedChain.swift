import Subscriptions

/// Everything derived from a chain's evidence, without row ids.
struct DerivedChain: Sendable {
  struct DerivedLine: Sendable {
    var line: Line
    var entries: [SpanEntry]
    var episodes: [Episode]

    /// Attributes of the first payment; `nil` if the line was never paid or is family-shared.
    var origin: CohortOrigin? { line.cohortOrigin(entries) }
  }

  var lines: [DerivedLine]
  /// Distinct events, without the price and storefront, which the transaction's row has.
  var feed: [LineEvent]
  var facts: ChainFacts
  /// Facts that depend on the lines' positions over time: freshness, family sharing and due periods.
  var standing: [Fact]

  init(_ chain: Chain, catalog: Catalog) {
    let lines = chain.lines(catalog: catalog)
    facts = ChainFacts(chain, lines, catalog: catalog)
    self.lines = lines.map { line in
      DerivedLine(line: line, entries: line.entries, episodes: line.episodes(catalog))
    }
    let events = lines.flatMap(\.events) + chain.ownEvents
    standing = lines.flatMap {
      StandingLine($0).facts(validatedAt: chain.validatedAt, catalog: catalog)
    }
    var distinct: Set<LineEvent> = []
    feed = events.map(\.withoutTerms).filter { distinct.insert($0).inserted }
  }
}

extension LineEvent {
  fileprivate var withoutTerms: LineEvent {
    var event = self
    (event.price, event.storefront) = (nil, nil)
    return event
  }
}

/// Derived values of a chain's transactions, without row ids.
struct ChainFacts: Sendable {
  /// Facts of each row, with the index of its line in the chain.
  private var rows: [TransactionID: (facts: DerivedFacts, line: Int)] = [:]
  /// Duplicate ids of purchases, each with the id that is counted instead.
  private var duplicates: [TransactionID: TransactionID]
  private let oneTime: [TransactionID: Transaction]

  init(_ chain: Chain, _ lines: [Line], catalog: Catalog) {
    duplicates = chain.oneTimeDuplicates
    oneTime = Dictionary(
      chain.oneTime.map { ($0.transactionID, $0) }, uniquingKeysWith: { first, _ in first })
    for (place, line) in lines.enumerated() {
      for row in line.rows {
        rows[row.id] = (DerivedFacts(row, app: line.bundleID, catalog: catalog), place)
        for duplicate in row.duplicateIDs { duplicates[duplicate] = row.id }
      }
    }
  }

  func facts(of id: TransactionID, _ lineIDs: [Int64], _ rowIDs: [TransactionID: Int64]) -> DerivedFacts {
    guard let row = rows[id] else {
      return duplicates[id].flatMap { rowIDs[$0] }.map(DerivedFacts.init(duplicateOf:))
        ?? DerivedFacts(oneTime: oneTime[id])
    }
    var facts = row.facts
    facts.lineID = lineIDs[row.line]
    return facts
  }
}

/// Derived columns of a transaction, which depend on its line and on the catalog.
struct DerivedFacts: Hashable {
  var lineID: Int64?
  var duplicateOf: Int64?
  var kind: PeriodKind?
  var priceMicros: Int64?
  var currency: CurrencyCode?
  var monthlyMicros: Int64?
  /// Expiry date of the purchase; it may come from a second id of the purchase (METRICS §1.3).
  var expires: Instant?
  var effectiveEnd: Instant?
  var refundedAt: Instant?
  var refundReason: String?
  var upgraded: Bool?
  var upgradedAt: Instant?
  var upgradeConfirmed: Bool?
  var upgradeDirection: ChangeDirection?
  var successorProductID: ProductID?
  var proratedRefundMicros: Int64?
  var outcome: PeriodOutcome?
  /// ISO 8601 period of a paid row (METRICS §4, Period of a row).
  var period: String?
  var changeDirection: ChangeDirection?
  var changedFromProductID: ProductID?
  var arrival: Arrival?
  var isPastFirstYear: Bool?
  /// App of the receipts that contain the chain, which determines Small Business Program membership.
  var app: BundleID?
  /// Cancellation date of the purchase; it may come from a second id of the purchase (METRICS §1.3).
  var cancelledAt: Instant?
  var isPriceSigned: Bool?
  var storefront: StorefrontCode?
  /// Refunded part of the price in micros; `nil` if all or nothing was refunded, or there is no price.
  var partialRefundMicros: Int64?

  init(oneTime purchase: Transaction?) {
    cancelledAt = purchase?.cancellationDate
    refundReason = purchase?.cancellationReason
    storefront = purchase?.terms?.storefront
    if let price = purchase?.oneTimePrice {
      (priceMicros, currency, isPriceSigned) = (price.single, price.currency, true)
      partialRefundMicros = purchase?.oneTimePartialRefund?.single
    }
  }

  init() {}

  init(duplicateOf row: Int64) { duplicateOf = row }

  init(_ row: Subscriptions.Row, app: BundleID?, catalog: Catalog) {
    kind = row.kind
    priceMicros = row.price?.amount.single
    currency = row.price?.amount.currency
    monthlyMicros = row.price?.monthlyMicros
    (expires, effectiveEnd) = (row.expires, row.effectiveEnd)
    refundedAt = row.isRefund ? row.refundedAt : nil
    refundReason = row.isRefund ? row.transaction.cancellationReason : nil
    upgraded = row.upgrade != nil
    upgradedAt = row.upgrade?.instant
    upgradeConfirmed = row.upgrade?.isConfirmed
    upgradeDirection = row.upgrade?.direction
    successorProductID = row.upgrade?.successorProductID
    proratedRefundMicros = row.upgrade?.proratedRefund?.single
    outcome = row.outcome
    period = row.kind.isPaid ? row.period(catalog)?.iso8601 : nil
    changeDirection = row.change?.direction
    changedFromProductID = row.change?.from
    arrival = row.arrival
    isPastFirstYear = row.isPastFirstYear
    self.app = app
    cancelledAt = row.transaction.cancellationDate
    isPriceSigned = row.price?.isSigned
    storefront = row.storefront
    partialRefundMicros = row.partialRefund?.single
  }
}
