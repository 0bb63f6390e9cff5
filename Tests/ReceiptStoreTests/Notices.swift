import GRDB
import ReceiptStore
import Subscriptions
import TestSupport

func makeNotification(
  _ type: NotificationType, _ rows: Transaction..., chain: String = "1", id: String? = nil,
  infos given: [RenewalInfo]? = nil, bundle: String? = "app", receipt: String? = "MIIB",
  isUnified: Bool = true,
  receivedAt: Instant? = nil, user: String? = nil, shows: [String] = [],
  change: (inout ServerNotification) -> Void = { _ in }
) -> ImportedNotification {
  let infos = given ?? [.make(chain: chain)]
  var facts = ServerNotification(
    type: type, environment: .production, originalTransactionID: OriginalTransactionID(chain),
    observedAt: receivedAt ?? .distantPast)
  let own = rows.filter { $0.originalTransactionID.rawValue == chain }
  facts.transactionID = own.max(by: Transaction.inOrder)?.transactionID
  facts.productID = own.max(by: Transaction.inOrder)?.productID
  facts.autoRenewStatus = infos.first?.autoRenewStatus
  facts.autoRenewProductID = infos.first?.autoRenewProductID
  if type.isTakenBack { facts.cancellationDate = own.compactMap(\.cancellationDate).max() }
  change(&facts)
  var answer = Answer(
    environment: .production, bundleID: bundle.map(BundleID.init), transactions: rows, renewalInfos: infos,
    latestReceipt: receipt.map { ReceiptData(trusted: $0) })
  if receivedAt == nil { answer.lagging = Set(rows.map(\.transactionID)) }
  let text = "\(facts) \(rows) \(infos) \(bundle ?? "-") \(id ?? "-")"
  return ImportedNotification(
    facts: facts, answer: answer, isUnified: isUnified && !rows.isEmpty, appUserID: user.map(AppUserID.init),
    observedAt: receivedAt, digest: ImportedNotification.digest(of: text),
    chainsOfReceipt: Set(shows.map { OriginalTransactionID($0) }))
}

/// Version 2 notification with a transaction and a renewal info, both signed just before it.
func makeSignedNotification(
  _ type: NotificationType, _ subtype: String? = nil, id: Int, _ row: Transaction?, _ info: RenewalInfo?,
  at t: Instant, change: (inout SignedTerms) -> Void = { _ in }
) -> SignedNotification {
  func signed(_ answer: Answer, at t: Instant, _ name: String) -> ImportedAnswer {
    var answer = answer
    (answer.bundleID, answer.requestDate) = (answer.transactions.isEmpty ? nil : BundleID("app"), t)
    return ImportedAnswer(
      answer: answer, status: 0, observedAt: t,
      signed: SignedText(header: "header", payload: "\(name) \(t)", signature: "signature"))
  }
  var rows: [ImportedAnswer] = []
  if var row {
    var terms = SignedTerms(signedAt: t - 20)
    change(&terms)
    row.terms = terms
    rows.append(
      signed(Answer(environment: .production, transactions: [row]), at: t - 20, "\(row.transactionID)"))
  }
  if let info {
    rows.append(signed(Answer(environment: .production, renewalInfos: [info]), at: t - 10, "info"))
  }
  var facts: ServerNotification?
  if let chain = row?.originalTransactionID ?? info?.originalTransactionID {
    facts = ServerNotification(
      type: type, environment: .production, originalTransactionID: chain,
      observedAt: t - (info == nil ? 20 : 10))
    facts?.subtype = subtype
    facts?.isSigned = true
    facts?.transactionID = row?.transactionID
    facts?.productID = row?.productID ?? info?.productID
    facts?.autoRenewProductID = info?.autoRenewProductID
    facts?.autoRenewStatus = info?.autoRenewStatus
    if type.isTakenBack { facts?.cancellationDate = row?.cancellationDate }
  }
  return SignedNotification(
    uuid: SignedNotificationFields.uuid(id), type: type, subtype: subtype, signedAt: t,
    environment: .production, bundleID: BundleID("app"), facts: facts, rows: rows)
}

extension ReceiptStore {
  func add(
    _ answers: [ImportedAnswer], at now: Instant, leavingOutRefused: Bool = false
  ) throws(StoreError) -> ImportSummary {
    var pages = [answers]
    var refused: [ImportSummary.Refusal] = []
    var summary = try add(
      pages: {
        refused += $0
        return pages.popLast().map(ImportPage.items) ?? .end
      }, at: now, leavingOutRefused: leavingOutRefused)
    summary.refused = refused
    return summary
  }

  func add(
    _ notifications: [ImportedNotification], at now: Instant, leavingOutRefused: Bool = false
  ) throws -> ImportSummary {
    try add(
      notifications.map(ReceivedNotification.ofVersion1), at: now, leavingOutRefused: leavingOutRefused)
  }

  func add(
    _ notifications: [ReceivedNotification], at now: Instant, leavingOutRefused: Bool = false
  ) throws(StoreError) -> ImportSummary {
    var pages = [notifications]
    var refused: [ImportSummary.Refusal] = []
    var summary = try add(
      notifications: {
        refused += $0
        return pages.popLast().map(ImportPage.items) ?? .end
      }, at: now, leavingOutRefused: leavingOutRefused)
    summary.refused = refused
    return summary
  }
}

extension Shelf {
  func everyTable() throws -> [String: [String]] {
    let names = try raw { db in
      try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
    }
    return try Dictionary(uniqueKeysWithValues: names.map { ($0, try table($0, without: [])) })
  }

  func dueInstants() throws -> [Instant?] {
    try raw { try Int64?.fetchAll($0, sql: "SELECT next_due_at_ms FROM receipts ORDER BY id") }.map {
      $0.map { Instant(milliseconds: $0) }
    }
  }

  func notificationInstants() throws -> [Instant] {
    try raw {
      try Int64.fetchAll($0, sql: "SELECT observed_at_ms FROM notifications ORDER BY observed_at_ms")
    }
    .map { Instant(milliseconds: $0) }
  }
}
