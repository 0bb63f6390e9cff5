/// The health of a store: what `status` prints.
public struct StoreStatus: Hashable, Sendable, Encodable {
  @ExplicitNull public var asOfMs: Instant?
  /// Of a past instant: the keys, in order, of what is told as it is now, since the store does not keep how it was then.
  public var ofNow: [String] = []
  public var receipts = 0
  public var lines = 0
  public var transactions = 0
  public var prices = Prices()
  /// When the first period of any line was bought.
  @ExplicitNull public var firstPurchaseMs: Instant?
  /// Receipts whose next check has come.
  public var dueNow = 0
  public var overdueLines = 0
  /// METRICS §4, Freshness: 0 to 1; nil where no line is active.
  @ExplicitNull public var fresh24h: Double?
  /// Receipts that are not asked about again, with the reason kept.
  public var dead = 0
  /// Notifications that were received and not taken yet: `listen` does that.
  public var inbox = 0
  @ExplicitNull public var lastSweep: LastSweep?
  /// Nil where there are none.
  @ExplicitNull public var rates: Rates?
  public var schemaVersion = ""
  /// What SQLite's own check says, where it was asked for: `ok`, or what is broken.
  public var integrity: String?
  /// What waits to be asked about; left out where a reader did not ask for it.
  public var queue: QueueReport?

  public init() {}

  /// Periods bought so far, family-shared ones apart, by who says their price.
  public struct Prices: Hashable, Sendable, Encodable {
    public var signed = 0
    public var catalogue = 0
    public var unpriced = 0

    public init() {}

    public init(_ facts: [FactClass: FactSum]) {
      for (kind, sum) in facts {
        guard case .bought(let bought) = kind.kind else { continue }
        switch (bought.priceMicros, bought.isPriceSigned) {
        case (nil, _): unpriced += Int(sum.count)
        case (_, true): signed += Int(sum.count)
        case (_, false): catalogue += Int(sum.count)
        }
      }
    }
  }

  public struct LastSweep: Hashable, Sendable, Encodable {
    public var startedAtMs: Instant
    public var finishedAtMs: Instant
    public var validated: Int
    public var changed: Int
    public var retryLater: Int
    public var rejected: Int
    @ExplicitNull public var stopped: String?

    public init(
      startedAtMs: Instant, finishedAtMs: Instant, validated: Int, changed: Int, retryLater: Int,
      rejected: Int, stopped: String?
    ) {
      self.startedAtMs = startedAtMs
      self.finishedAtMs = finishedAtMs
      self.validated = validated
      self.changed = changed
      self.retryLater = retryLater
      self.rejected = rejected
      self.stopped = stopped
    }
  }

  /// The exchange rates that were imported.
  public struct Rates: Hashable, Sendable, Encodable {
    public var count: Int
    public var currencies: Int
    /// The first day and the last, as their beginnings in UTC.
    public var fromMs: Instant
    public var toMs: Instant
    /// In which figures are told as well.
    @ExplicitNull public var reportingCurrency: CurrencyCode?

    public init(
      count: Int, currencies: Int, from: Instant, to: Instant, reportingCurrency: CurrencyCode?
    ) {
      self.count = count
      self.currencies = currencies
      (fromMs, toMs) = (from, to)
      self.reportingCurrency = reportingCurrency
    }
  }

  /// Everything that has no past: what waits, what was given up, and what figures are made with.
  public mutating func markWhatIsOfNow() {
    ofNow = ["dead", "due_now", "first_purchase_ms", "inbox", "prices", "queue", "rates", "receipts"]
  }

  enum CodingKeys: String, CodingKey {
    case asOfMs, ofNow, receipts, lines, transactions, prices, firstPurchaseMs, dueNow, overdueLines
    case fresh24h = "fresh_24h"
    case dead, inbox, lastSweep, rates, schemaVersion, integrity, queue
  }
}
