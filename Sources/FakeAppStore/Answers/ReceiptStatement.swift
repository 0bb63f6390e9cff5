import Subscriptions

/// The answer of status 0: *App Store Receipts › responseBody*.
struct ReceiptStatement {
  var subscriber: Subscriber
  var life: Life
  let now: Instant
  let excludingOld: Bool
  let padding: Int
  /// What the answer says that the time is; nil is the truth.
  var requestDate: Instant?
  /// Somebody else's, which is told among the subscriber's own; nobody's is the truth.
  var strangers = Life.empty

  var json: [UInt8] {
    let rows = lines.flatMap { $0.transactions(at: now) }
    return AppleJSONWriter.object(capacity: 12_000 + rows.count * 2_600 + padding * 4 / 3) { writer in
      writer.member("environment", subscriber.environment.rawValue)
      writeReceipt(&writer)
      if !rows.isEmpty {
        writer.openArray("latest_receipt_info")
        for row in shown(rows) { writer.latestReceiptInfo(row) }
        writer.closeArray()
        let data = subscriber.receipt(of: life, at: now, padding: padding)
        writer.base64("latest_receipt", of: data)
        writer.openArray("pending_renewal_info")
        for line in lines {
          if let info = line.renewalInfo(at: now) { writer.pendingRenewalInfo(info) }
        }
        writer.closeArray()
      }
      writer.number("status", 0)
    }
  }

  private var lines: [LineLife] { life.lines + strangers.lines }

  private func writeReceipt(_ writer: inout AppleJSONWriter) {
    let isSandbox = subscriber.environment == .sandbox
    let created = subscriber.deviceReceiptDate(life, at: now)
    writer.key("receipt")
    writer.openObject()
    writer.member("receipt_type", subscriber.environment.receiptType)
    let appleID = isSandbox ? 0 : FakeCatalog.appleID(of: subscriber.bundleID)
    writer.number("adam_id", appleID)
    writer.number("app_item_id", appleID)
    writer.member("bundle_id", subscriber.bundleID.rawValue)
    writer.member("application_version", "431")
    writer.number("download_id", isSandbox ? 0 : subscriber.downloadID)
    writer.number("version_external_identifier", isSandbox ? 0 : 858_114_207)
    writer.date("receipt_creation_date", created)
    writer.date("request_date", requestDate ?? now)
    writer.date("original_purchase_date", isSandbox ? Self.sandboxPurchase : subscriber.appPurchase)
    writer.member("original_application_version", isSandbox ? "1.0" : "212")
    writer.openArray("in_app")
    for row in (life.oneTime + strangers.oneTime).compactMap({ $0.transaction(at: now) }) {
      writer.inApp(row)
    }
    for row in lines.flatMap({ $0.transactions(at: created) }) { writer.inApp(row) }
    writer.closeArray()
    writer.closeObject()
  }

  /// The sandbox has sold every app on 2013-08-01.
  private static let sandboxPurchase = Instant(milliseconds: 1_375_340_400_000)

  /// Newest first for nine in ten; some oldest first, some with neighbours in the wrong order.
  private func shown(_ rows: [Transaction]) -> [Transaction] {
    if excludingOld { return newest(of: rows) }
    let sorted = rows.sorted(by: Transaction.inOrder)
    switch subscriber.sorting {
    case 0..<3: return sorted
    case 3..<10:
      var shuffled = Array(sorted.reversed())
      if shuffled.count > 2 { shuffled.swapAt(0, 1) }
      return shuffled
    default: return sorted.reversed()
    }
  }

  /// `exclude-old-transactions`: the newest renewal of each subscription.
  private func newest(of rows: [Transaction]) -> [Transaction] {
    lines.compactMap { line in
      rows.filter { $0.originalTransactionID == line.customer.originalTransactionID }
        .max { ($0.expiresDate ?? .distantPast) < ($1.expiresDate ?? .distantPast) }
    }
  }
}

extension Subscriber {
  /// The receipt of an instant. It changes only when something happened, so that asking twice gives the same.
  func receipt(of life: Life, at t: Instant, padding: Int) -> [UInt8] {
    let issued = life.lastChange(upTo: t) ?? founded
    let identity = ReceiptIdentity(of: self, issued: issued)
    let renewals = life.lines.flatMap { $0.transactions(at: issued) }
    if kind == .legacy {
      return FakeReceipt.legacy(identity, of: self, renewals.max(by: Transaction.inOrder))
    }
    let rows =
      renewals + life.oneTime.compactMap { $0.transaction(at: issued) }
    return FakeReceipt.container(identity, of: self, rows: Self.held(rows), padding: padding)
  }

  /// Apple's hold every row. To stay small these hold the newest of every chain, and the last eight.
  private static func held(_ rows: [Transaction]) -> [Transaction] {
    var chains: Set<OriginalTransactionID> = []
    let newest = Set(
      rows.indices.sorted { Transaction.inOrder(rows[$1], rows[$0]) }
        .filter { chains.insert(rows[$0].originalTransactionID).inserted })
    return rows.indices.filter { newest.contains($0) || $0 >= rows.count - 8 }.map { rows[$0] }
  }

  /// When the receipt on the device was last made: it lags behind, but never to before the first purchase.
  func deviceReceiptDate(_ life: Life, at t: Instant) -> Instant {
    let first = (life.lines.compactMap { $0.rows.first?.visibleFrom } + life.oneTime.map(\.visibleFrom))
      .filter { $0 <= t }.min()
    let step = max(lag, Milliseconds.day)
    let lagging = Instant(milliseconds: t.rawValue - (t.rawValue - founded.rawValue) % step - lag)
    return max(first ?? lagging, lagging).wholeSecond
  }

  /// Half of the production receipts have none.
  var downloadID: Int64? {
    let number = SplitMix64.mixed(seed ^ UInt64(index))
    return number % 2 == 0 ? nil : Int64(500_000_000_000_000_000 + number % 3_000_000_000_000_000)
  }

  /// When the app itself was first installed.
  var appPurchase: Instant {
    let before = SplitMix64.mixed(UInt64(index)) % UInt64(200 * Milliseconds.day)
    return (min(starts, founded) - Int64(before) - 400 * Milliseconds.day).wholeSecond
  }
}
