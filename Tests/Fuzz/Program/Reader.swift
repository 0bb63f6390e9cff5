import AppStore
import FoundationEssentials
import Intake
import Subscriptions

/// Readers of untrusted bytes, with the invariants that hold for every input.
enum Reader: String, CaseIterable {
  case answer, notification, contents, receipts, responses, notifications, catalog, rates
  case ids, transactions, forgery, history, statuses
  case signedNotification = "signed-notification"
  case notificationHistory = "notification-history"
  case appleReports = "apple-reports"

  func read(_ bytes: [UInt8]) {
    switch self {
    case .answer: readAnswer(bytes)
    case .notification:
      sentence { () throws(UnreadableAnswer) in
        hold(try KeptNotification(decoding: bytes).notification.answer)
      }
    case .contents: readContents(bytes)
    case .receipts:
      for item in hold(ReceiptsFile.read(bytes)) {
        holdText(item.appUserID?.rawValue, item.bundleID?.rawValue, item.data?.base64)
      }
    case .responses: for item in hold(ResponsesFile.read(bytes)) { hold(item.answer, of: item.appUserID) }
    case .notifications:
      for line in hold(NotificationsFile.read(bytes)) {
        if case .version1(let kept) = line.body { hold(kept.notification.answer) }
      }
    case .rates:
      for line in hold(RatesFile.read(bytes)) {
        check(
          line.quotes.allSatisfy { ($0.picos ?? 1) > 0 && $0.currency.rawValue.utf8.count == 3 },
          "a rate that is none")
      }
    case .ids:
      for item in hold(IDsFile.read(bytes)) {
        guard case .customer(let id) = item.handle else { Fuzz.stop("ids: a receipt among them") }
        check(id.isCredible, "an id that is none")
        holdText(id.rawValue, atMost: FieldLimits.id)
        holdText(item.appUserID?.rawValue, atMost: FieldLimits.appUserID)
        holdText(item.bundleID?.rawValue, atMost: FieldLimits.name)
      }
    case .appleReports: readAppleReport(bytes)
    case .transactions: readTransactions(bytes)
    case .forgery: readForgery(bytes)
    case .history: readHistory(bytes)
    case .statuses: readStatuses(bytes)
    case .signedNotification: readSignedNotification(bytes)
    case .notificationHistory: readNotificationHistory(bytes)
    case .catalog:
      for entry in hold(CatalogFile.read(bytes)) {
        holdText(entry.productID.rawValue, entry.subscriptionGroupID?.rawValue)
      }
    }
  }

  private func readAnswer(_ bytes: [UInt8]) {
    sentence { () throws(UnreadableAnswer) in
      let response = try VerifyReceiptResponse(decoding: bytes, from: .production)
      check(
        (response.meaning == .data) == (response.answer != nil), "an answer without data, or data without")
      if let answer = response.answer { hold(answer) }
    }
  }

  /// Reads a report, compressed or not, which must begin with its description and end with its digest.
  private func readAppleReport(_ bytes: [UInt8]) {
    let reading = AppleReportsFile.read(bytes, named: "Subscription_85012345_20260218.txt")
    let items = hold(reading)
    for (place, item) in items.enumerated() {
      switch item {
      case .begin(let report, _):
        check(report.from <= report.through, "a report that ends before it begins")
      case .row(let row):
        holdText(row.appleID, atMost: FieldLimits.id)
        holdText(row.measure.rawValue, row.product?.rawValue, row.offer, row.subscriber)
        check(row.storefront.rawValue.utf8.count <= 3, "a storefront that is none")
        check((row.price?.micros ?? 0) >= 0, "a negative price")
        check(row.units.magnitude < 1_000_000_000, "too many units")
        for money in [row.amount, row.proceeds] {
          check((money?.micros ?? 0).magnitude <= 1_000_000_000_000_000_000, "an amount that is too large")
        }
      case .end: check(place == items.count - 1, "an end in the middle")
      }
    }
    check(reading.remarks.values.allSatisfy { $0 == 1 }, "a remark twice")
  }

  /// Reads a receipt's decoded container, so that the fuzzer does not change the base64 around it.
  private func readContents(_ bytes: [UInt8]) {
    let text = Data(bytes).base64EncodedString()
    guard let receipt = ReceiptData(base64: text), let contents = ReceiptContents(receipt) else { return }
    check(ReceiptContents(receipt) == contents, "read twice, it says two things")
  }
}

extension Reader {
  /// Checks that an error has one printable line.
  func sentence(_ body: () throws(UnreadableAnswer) -> Void) {
    do throws(UnreadableAnswer) { try body() } catch { checkLine(error.reason) }
  }

  func hold<Item>(_ reading: Reading<Item>) -> [Item] {
    check(reading.items.count == reading.lines.count, "an item without a line")
    for line in reading.badLines {
      check(line.line >= 1, "a line before the first")
      checkLine(line.reason)
    }
    return reading.items
  }

  func hold(_ answer: Answer, of user: AppUserID? = nil) {
    check(
      Set(answer.transactions.map(\.transactionID)).count == answer.transactions.count, "a transaction twice")
    holdText(user?.rawValue, answer.bundleID?.rawValue)
    for row in answer.transactions {
      holdText(
        row.transactionID.rawValue, row.originalTransactionID.rawValue, row.productID.rawValue,
        row.webOrderLineItemID?.rawValue, row.promotionalOfferID, row.offerCodeRefName)
    }
    for info in answer.renewalInfos {
      holdText(
        info.originalTransactionID?.rawValue, info.productID?.rawValue, info.autoRenewProductID?.rawValue)
    }
  }

  /// Checks that no text contains a NUL, at which SQLite would end it.
  func holdText(_ texts: String?...) {
    for case let text? in texts { check(!text.utf8.contains(0), "text with a NUL in it") }
  }

  func holdText(_ text: String?, atMost most: Int) {
    holdText(text)
    check(text.map { $0.utf8.count <= most } ?? true, "text that is longer than \(most) bytes")
  }

  func checkLine(_ reason: String) {
    check(!reason.isEmpty, "no reason")
    check(
      reason.unicodeScalars.allSatisfy { !$0.properties.generalCategory.isInvisible },
      "a reason that moves a terminal")
  }

  func check(_ holds: Bool, _ problem: String) {
    if !holds { Fuzz.stop("\(rawValue): \(problem)") }
  }
}

extension Unicode.GeneralCategory {
  fileprivate var isInvisible: Bool {
    [.control, .format, .lineSeparator, .paragraphSeparator].contains(self)
  }
}
