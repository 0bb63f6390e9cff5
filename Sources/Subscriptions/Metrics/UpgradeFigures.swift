/// METRICS §4: changes of product, and what Apple gave back for the unused part of replaced periods.
public struct UpgradeFigures: Hashable, Sendable, Encodable {
  /// Rows upgraded away in the window, by direction.
  public struct Immediate: Hashable, Sendable, Encodable {
    public var upgrade = 0
    public var crossgrade = 0
    public var unranked = 0
    public init() {}

    public mutating func count(_ direction: ChangeDirection, by n: Int = 1) {
      switch direction {
      case .upgrade: upgrade += n
      case .crossgrade: crossgrade += n
      case .unranked, .downgrade: unranked += n
      }
    }
  }

  /// Changes that took effect at a renewal in the window.
  public struct AtRenewal: Hashable, Sendable, Encodable {
    public var downgrade = 0
    public var crossgrade = 0
    public var unranked = 0
    public init() {}

    public mutating func count(_ direction: ChangeDirection, by n: Int = 1) {
      switch direction {
      case .downgrade: downgrade += n
      case .crossgrade: crossgrade += n
      case .unranked, .upgrade: unranked += n
      }
    }
  }

  public struct Entry: Hashable, Sendable, Encodable {
    public var originalTransactionId: OriginalTransactionID
    public var transactionId: TransactionID
    public var fromProductId: ProductID
    @ExplicitNull public var toProductId: ProductID?
    public var kind: ChangeDirection
    public var upgradedAtMs: Instant
    /// True where Apple gave the date; otherwise it is the successor's.
    public var confirmed: Bool
    @ExplicitNull public var priceMicros: Int64?
    @ExplicitNull public var currency: CurrencyCode?
    @ExplicitNull public var proratedRefundMicros: Int64?

    public init(
      originalTransactionId: OriginalTransactionID, transactionId: TransactionID, fromProductId: ProductID,
      toProductId: ProductID?, kind: ChangeDirection, upgradedAtMs: Instant, confirmed: Bool, price: Money?,
      proratedRefundMicros: Int64?
    ) {
      self.originalTransactionId = originalTransactionId
      self.transactionId = transactionId
      self.fromProductId = fromProductId
      self.toProductId = toProductId
      self.kind = kind
      self.upgradedAtMs = upgradedAtMs
      self.confirmed = confirmed
      priceMicros = price?.micros
      currency = price?.currency
      self.proratedRefundMicros = proratedRefundMicros
    }
  }

  public var immediate = Immediate()
  public var confirmed = 0
  public var estimated = 0
  /// In micros for each currency.
  public var proratedRefund = Amounts()
  /// Upgraded rows without a price, which add nothing.
  public var unpriced = 0
  /// Rows upgraded away, bought in the window, that nothing dates.
  public var undated = 0
  public var atRenewal = AtRenewal()
  /// Lines that will change product at their next renewal.
  public var pending = 0
  /// The newest upgrade first.
  public var rows: [Entry] = []

  public init() {}
}

extension UpgradeFigures {
  init(_ judged: [JudgedLine], _ question: Question) {
    self.init()
    for judged in judged {
      for row in judged.line.rows where question.includes(row.productID) {
        if let change = row.change, question.window.contains(row.purchase) {
          atRenewal.count(change.direction)
        }
        if let upgrade = row.upgrade { count(upgrade, of: row, line: judged.line, question) }
      }
    }
    rows = Array(rows.sorted(by: Self.inOrder).prefix(question.limit))
  }

  /// - Parameter sums: those of the question's window.
  public mutating func set(pendingOf sums: LedgerSums, _ question: Question) {
    pending = PanelCounts(.upgrades, sums, question)["pending"].lines
  }

  private mutating func count(_ upgrade: Upgrade, of row: Row, line: Line, _ question: Question) {
    guard let instant = upgrade.instant else {
      if question.window.contains(row.purchase) { undated += 1 }
      return
    }
    guard question.window.contains(instant) else { return }
    immediate.count(upgrade.direction)
    if upgrade.isConfirmed { confirmed += 1 } else { estimated += 1 }
    if let refund = upgrade.proratedRefund { proratedRefund.add(refund) } else { unpriced += 1 }
    rows.append(
      Entry(
        originalTransactionId: line.id.originalTransactionID, transactionId: row.id,
        fromProductId: row.productID,
        toProductId: upgrade.successorProductID, kind: upgrade.direction, upgradedAtMs: instant,
        confirmed: upgrade.isConfirmed, price: row.price?.amount,
        proratedRefundMicros: upgrade.proratedRefund?.micros))
  }

  static func inOrder(_ left: Entry, _ right: Entry) -> Bool {
    left.upgradedAtMs == right.upgradedAtMs
      ? left.transactionId < right.transactionId : left.upgradedAtMs > right.upgradedAtMs
  }
}
