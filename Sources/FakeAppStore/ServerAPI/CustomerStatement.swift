import Subscriptions

/// What the Server API says of one customer at an instant.
struct CustomerStatement: Sendable {
  let subscriber: Subscriber
  let life: Life
  let now: Instant
  let signer: FakeSigner
  /// What the signatures say that the time is.
  var signedDate: Instant
  /// Whether the history is to be empty.
  var isEmptied = false
  /// Signed rows of somebody else, which are told among the customer's own; none is the truth.
  var strangers: [String] = []
  /// Changes signed rows, of which it is told the place in the answer and how many there are.
  var forge: @Sendable (_ text: String, _ place: Int, _ count: Int) -> String = { text, _, _ in text }

  init(_ subscriber: Subscriber, at now: Instant, signer: FakeSigner) {
    (self.subscriber, self.now, self.signer, signedDate) = (subscriber, now, signer, now)
    life = Life(of: subscriber, until: now)
  }

  /// *HistoryResponse*.
  func history(_ query: HistoryQuery) throws(FakeServerAPIError) -> [UInt8] {
    let page = try HistoryPage(of: life, subscriber, query, at: now)
    let rows = isEmptied ? [] : page.rows.compactMap(signed) + strangers
    return AppleJSONWriter.object(capacity: 400 + rows.count * 6000) { writer in
      writer.member("revision", page.revision.text)
      writer.value("hasMore", page.hasMore && !isEmptied)
      writeApp(&writer)
      writer.list("signedTransactions", forged(rows))
    }
  }

  /// *StatusResponse*.
  func statuses(_ wanted: Set<LineLife.Status>) -> [UInt8] {
    let lines =
      isEmptied
      ? []
      : life.lines.compactMap { line in line.status(at: now).map { (line: line, status: $0) } }
        .filter { wanted.isEmpty || wanted.contains($0.status) }
    return AppleJSONWriter.object(capacity: 400 + lines.count * 12_000) { writer in
      writeApp(&writer)
      writer.openArray("data")
      let rows = lines.map { $0.line.currentRow(at: now).flatMap(signed) ?? "" }
      for ((line, status), row) in zip(lines, forged(rows)) {
        writer.openElement()
        writer.member("subscriptionGroupIdentifier", line.customer.group.rawValue)
        writer.openArray("lastTransactions")
        writer.openElement()
        writer.member("originalTransactionId", line.customer.originalTransactionID.rawValue)
        writer.value("status", status.rawValue)
        writer.member("signedTransactionInfo", row)
        writer.member("signedRenewalInfo", renewalInfo(of: line))
        writer.closeObject()
        writer.closeArray()
        writer.closeObject()
      }
      writer.closeArray()
    }
  }

  /// *TransactionInfoResponse*.
  func transaction(_ id: String) throws(FakeServerAPIError) -> [UInt8] {
    guard let row = row(of: id), let text = signed(row) else { throw .transactionIDNotFound }
    return AppleJSONWriter.object(capacity: 6000) { $0.member("signedTransactionInfo", forge(text, 0, 1)) }
  }

  /// Nil where none of this id is shown yet.
  func row(of id: String) -> LifeRow? {
    life.rows.first {
      $0.transaction.transactionID.rawValue == id && $0.visibleFrom <= now
    }
  }

  func signed(_ row: LifeRow) -> String? {
    TransactionPayload(row, of: subscriber, at: now, signedDate: signedDate).map { signer.sign($0.json) }
  }

  private func forged(_ texts: [String]) -> [String] {
    texts.enumerated().map { forge($0.element, $0.offset, texts.count) }
  }

  /// Nil where the store says nothing of renewals.
  func renewalInfo(of line: LineLife) -> String? {
    RenewalPayload(line, of: subscriber, at: now, signedDate: signedDate).map { signer.sign($0.json) }
  }

  /// The sandbox does not tell an app's id.
  private func writeApp(_ writer: inout AppleJSONWriter) {
    writer.member("bundleId", subscriber.bundleID.rawValue)
    if subscriber.environment != .sandbox {
      writer.number("appAppleId", FakeCatalog.appleID(of: subscriber.bundleID))
    }
    writer.member("environment", subscriber.environment.rawValue)
  }
}
