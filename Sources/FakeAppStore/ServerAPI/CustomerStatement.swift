import AppStore
import Subscriptions

/// Server API data of one customer at an instant.
struct CustomerStatement: Sendable {
  let subscriber: Subscriber
  let life: Life
  let now: Instant
  let signer: FakeSigner
  var signedDate: Instant
  var isEmptied = false
  /// Signed rows of another customer, added to the customer's own rows. Set by a fault.
  var strangers: [String] = []

  init(_ subscriber: Subscriber, at now: Instant, signer: FakeSigner) {
    (self.subscriber, self.now, self.signer, signedDate) = (subscriber, now, signer, now)
    life = Life(of: subscriber, until: now)
  }

  /// Encodes *HistoryResponse*.
  func history(_ query: HistoryQuery) throws(FakeServerAPIError) -> [UInt8] {
    let page = try HistoryPage(of: life, subscriber, query, at: now)
    let rows = isEmptied ? [] : page.rows.compactMap(signed) + strangers
    return JSON.object(
      [
        ("revision", JSON(page.revision.text)), ("hasMore", .flag(page.hasMore && !isEmptied)),
        ("signedTransactions", .list(rows.map(JSON.text))),
      ] + app
    ).bytes
  }

  /// Encodes *StatusResponse*.
  func statuses(_ wanted: Set<LineLife.Status>) -> [UInt8] {
    let lines =
      isEmptied
      ? []
      : life.lines.compactMap { line in line.status(at: now).map { (line: line, status: $0) } }
        .filter { wanted.isEmpty || wanted.contains($0.status) }
    let groups = lines.map { entry -> JSON in
      let newest: JSON = [
        "originalTransactionId": JSON(entry.line.customer.originalTransactionID.rawValue),
        "status": .number(entry.status.rawValue),
        "signedTransactionInfo": JSON(entry.line.currentRow(at: now).flatMap(signed)),
        "signedRenewalInfo": JSON(renewalInfo(of: entry.line)),
      ]
      return [
        "subscriptionGroupIdentifier": JSON(entry.line.customer.group.rawValue),
        "lastTransactions": .list([newest]),
      ]
    }
    return JSON.object(app + [("data", .list(groups))]).bytes
  }

  /// Encodes *TransactionInfoResponse*.
  func transaction(_ id: String) throws(FakeServerAPIError) -> [UInt8] {
    guard let row = row(of: id), let text = signed(row) else { throw .transactionIDNotFound }
    return JSON.object([("signedTransactionInfo", .text(text))]).bytes
  }

  func row(of id: String) -> LifeRow? {
    life.rows.first {
      $0.transaction.transactionID.rawValue == id && $0.visibleFrom <= now
    }
  }

  func signed(_ row: LifeRow) -> String? {
    SignedTransaction(row, of: subscriber, at: now, signedDate: signedDate).flatMap(signer.sign)
  }

  func renewalInfo(of line: LineLife) -> String? {
    SignedRenewalInfo(line, of: subscriber, at: now, signedDate: signedDate).flatMap(signer.sign)
  }

  private var app: JSON.Members {
    JSON.app(subscriber.bundleID, isSandbox: subscriber.isSandbox)
  }
}

extension JSON {
  /// App and environment of an answer or notification. The sandbox omits `appAppleId`.
  static func app(_ app: BundleID, isSandbox: Bool) -> Members {
    [
      ("appAppleId", isSandbox ? nil : .number(FakeCatalog.appleID(of: app))),
      ("bundleId", JSON(app.rawValue)),
      ("environment", JSON((isSandbox ? StoreEnvironment.sandbox : .production).rawValue)),
    ]
  }
}
