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
  /// Signed rows of another customer that a fault adds to the customer's own.
  var strangers: [String] = []

  init(_ subscriber: Subscriber, at now: Instant, signer: FakeSigner) {
    (self.subscriber, self.now, self.signer, signedDate) = (subscriber, now, signer, now)
    life = Life(of: subscriber, until: now)
  }

  static let pageSize = 20

  /// Encodes *HistoryResponse*, or throws 4000005 if the revision is unknown or another customer's.
  func history(after text: String?) throws(FakeServerAPIError) -> [UInt8] {
    let beginning = Revision(modified: Instant(milliseconds: 0), transactionID: subscriber.appTransactionID)
    guard let after = text.map(Revision.init) ?? beginning else { throw .invalidRequestRevision }
    let all = life.history(at: now)
    let row = all.first { $0.row.transaction.transactionID.rawValue == after.transactionID }?.row
    let isKnown = after.modified <= now && row?.lastChange(upTo: after.modified) == after.modified
    guard isKnown || after == beginning else { throw .invalidRequestRevision }
    let rest = all.filter { $0.revision > after }
    let page = rest.prefix(Self.pageSize)
    let rows = isEmptied ? [] : page.compactMap { signed($0.row) } + strangers
    return JSON.object(
      [
        ("revision", JSON((page.last?.revision ?? after).text)),
        ("hasMore", .flag(rest.count > page.count && !isEmptied)),
        ("signedTransactions", .list(rows.map(JSON.text))),
      ] + app
    ).bytes
  }

  /// Encodes *StatusResponse*.
  var statuses: [UInt8] {
    let groups = (isEmptied ? [] : life.lines).compactMap { line -> JSON? in
      guard let status = line.status(at: now) else { return nil }
      let newest: JSON = [
        "originalTransactionId": JSON(line.customer.originalTransactionID.rawValue),
        "status": .number(status.rawValue),
        "signedTransactionInfo": JSON(line.currentRow(at: now).flatMap(signed)),
        "signedRenewalInfo": JSON(renewalInfo(of: line)),
      ]
      return [
        "subscriptionGroupIdentifier": JSON(line.customer.group.rawValue),
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
  /// App and environment of an answer or notification; the sandbox omits `appAppleId`.
  static func app(_ app: BundleID, isSandbox: Bool) -> Members {
    [
      ("appAppleId", isSandbox ? nil : .number(FakeCatalog.appleID(of: app))),
      ("bundleId", JSON(app.rawValue)),
      ("environment", JSON((isSandbox ? StoreEnvironment.sandbox : .production).rawValue)),
    ]
  }
}
