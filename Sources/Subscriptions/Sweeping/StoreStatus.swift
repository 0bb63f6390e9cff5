/// State of a store, which `status` prints.
public struct StoreStatus: Hashable, Sendable, Encodable {
  @ExplicitNull public var asOfMs: Instant?
  /// Keys of values that are current even for a past instant, because the store keeps no history of them.
  public var ofNow: [String] = []
  public var receipts = 0
  public var lines = 0
  public var transactions = 0
  public var prices = Prices()
  /// Purchase date of the first period of any line.
  @ExplicitNull public var firstPurchaseMs: Instant?
  public var dueNow = 0
  public var overdueLines = 0
  /// Freshness (METRICS §4), 0 to 1; `nil` if no line has access.
  @ExplicitNull public var fresh24h: Double?
  public var dead = 0
  /// Received notifications that `listen` has not processed yet.
  public var inbox = 0
  @ExplicitNull public var lastSweep: LastSweep?
  @ExplicitNull public var rates: Rates?
  public var schemaVersion = ""
  /// Result of the check of file and figures: `ok`, or the first finding; `nil` if it was not requested.
  public var integrity: String?
  /// Report about the queue; `nil` if it was not requested.
  public var queue: QueueReport?

  public init() {}

  /// Number of purchased periods by the source of their price, without family-shared periods.
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

  /// Last finished sweep with receipts, or else the last finished sweep.
  public struct LastSweep: Hashable, Sendable, Encodable {
    public var startedAtMs: Instant
    public var finishedAtMs: Instant
    public var validated: Int
    public var changed: Int
    public var retryLater: Int
    public var rejected: Int
    @ExplicitNull public var stopped: String?

    public init?(_ record: SweepRecord) {
      guard let finished = record.finishedAtMs else { return nil }
      (startedAtMs, finishedAtMs, stopped) = (record.startedAtMs, finished, record.stopped)
      (validated, changed) = (record.validated, record.changed)
      (retryLater, rejected) = (record.retryLater, record.rejected)
    }
  }

  /// Extent of the imported exchange rates.
  public struct Rates: Hashable, Sendable, Encodable {
    public var count: Int
    public var currencies: Int
    /// Start of the first day (UTC); `toMs` is the start of the last day.
    public var fromMs: Instant
    public var toMs: Instant
    @ExplicitNull public var reportingCurrency: CurrencyCode?

    public init(count: Int, currencies: Int, from: Instant, to: Instant, reportingCurrency: CurrencyCode?) {
      (self.count, self.currencies) = (count, currencies)
      (fromMs, toMs) = (from, to)
      self.reportingCurrency = reportingCurrency
    }
  }

  public mutating func markWhatIsOfNow() {
    ofNow = ["dead", "due_now", "first_purchase_ms", "inbox", "prices", "queue", "rates", "receipts"]
  }

  enum CodingKeys: String, CodingKey {
    case asOfMs, ofNow, receipts, lines, transactions, prices, firstPurchaseMs, dueNow, overdueLines
    case fresh24h = "fresh_24h"
    case dead, inbox, lastSweep, rates, schemaVersion, integrity, queue
  }
}
