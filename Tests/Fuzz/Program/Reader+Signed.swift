import AppStore
import Intake
import Subscriptions

/// Readers of signed App Store data, which must reject data that the trusted authority did not sign.
extension Reader {
  func readTransactions(_ bytes: [UInt8]) {
    let input = SignedInput(bytes)
    for kept in hold(TransactionsFile.read(input.body)) {
      holdText(kept.appUserID?.rawValue)
      refuse { () throws(SignedDataProblem) in try kept.verified(by: Authority.stranger.verifier) }
      if let row = judged({ () throws(SignedDataProblem) in try kept.verified(by: Authority.own.verifier) }) {
        hold(row, signedIn: input)
      }
      // The seeds include data that Apple signed.
      if let apple = Self.apple,
        let row = judged({ () throws(SignedDataProblem) in try kept.verified(by: apple) })
      {
        hold(row)
      }
    }
  }

  func readSignedNotification(_ bytes: [UInt8]) {
    let input = SignedInput(bytes)
    readSignedNotification(input.body, of: input)
  }

  private func readSignedNotification(_ body: [UInt8], of input: SignedInput) {
    sentence { () throws(UnreadableAnswer) in
      guard case .version2(let kept) = try NotificationBody(decoding: body) else { return }
      holdText(kept.appUserID?.rawValue)
      for apps in [OwnApps(), OwnApps([BundleID("com.example"): 1, BundleID("com.other"): nil])] {
        refuse { () throws(SignedDataProblem) in
          try kept.verified(by: Authority.stranger.verifier, for: apps)
        }
        let own = judged { () throws(SignedDataProblem) in
          try kept.verified(by: Authority.own.verifier, for: apps)
        }
        if let own {
          hold(own)
          for row in own.rows { hold(row, signedIn: input) }
        }
        guard let apple = Self.apple else { continue }
        if let real = judged({ () throws(SignedDataProblem) in try kept.verified(by: apple, for: apps) }) {
          hold(real)
        }
      }
    }
  }

  func readHistory(_ bytes: [UInt8]) {
    let input = SignedInput(bytes)
    if let error = ServerAPIError(decoding: input.body) { checkLine("\(error)") }
    sentence { () throws(UnreadableAnswer) in
      let page = try HistoryPage(decoding: input.body)
      holdText(page.revision, atMost: FieldLimits.revision)
      readRows(page.transactions, of: input)
    }
  }

  func readStatuses(_ bytes: [UInt8]) {
    let input = SignedInput(bytes)
    sentence { () throws(UnreadableAnswer) in
      let statuses = try SubscriptionStatuses(decoding: input.body)
      readRows(statuses.transactions + statuses.renewalInfos, of: input)
    }
  }

  private func readRows(_ rows: [String], of input: SignedInput) {
    var taken = CustomerRows()
    let isTaken: Void? = judged { () throws(SignedDataProblem) in
      try taken.take(rows, verifiedBy: Authority.own.verifier)
    }
    check(isTaken != nil || taken.count == 0, "a row of a page that is refused")
    var strange = CustomerRows()
    _ = judged { () throws(SignedDataProblem) in
      try strange.take(rows, verifiedBy: Authority.stranger.verifier)
    }
    check(strange.count == 0, "a row that a stranger signed")
    if let problem = taken.problem(for: BundleID("com.example"), in: .production) { checkLine("\(problem)") }
    let customer = CustomerID("1")
    let (history, leftOut) = taken.history(of: customer, knownBy: [], in: .production, revision: nil)
    check(leftOut >= 0 && history.rows.count <= rows.count, "more rows than came")
    hold(history.answer)
    for row in history.rows { hold(row, signedIn: input) }
  }

  func readNotificationHistory(_ bytes: [UInt8]) {
    let input = SignedInput(bytes)
    sentence { () throws(UnreadableAnswer) in
      let page = try NotificationHistoryPage(decoding: input.body)
      holdText(page.paginationToken, atMost: FieldLimits.revision)
      // The limit keeps inputs fast; real pages have 20.
      for item in page.items.prefix(50) { readSignedNotification(Array(item.signedPayload.utf8), of: input) }
    }
  }

  private static let apple = Certificate.appleRoot.map(SignatureVerifier.init)
}

extension Reader {
  /// Returns `nil` if the data is rejected, after checking that the error has one line.
  func judged<Value>(_ body: () throws(SignedDataProblem) -> Value) -> Value? {
    do throws(SignedDataProblem) {
      return try body()
    } catch {
      checkLine("\(error)")
      return nil
    }
  }

  func refuse<Value>(_ body: () throws(SignedDataProblem) -> Value) {
    check(judged(body) == nil, "something is taken that a stranger signed")
  }

  private func hold(_ row: ImportedAnswer, signedIn input: SignedInput) {
    check(row.signed.map(input.holds) ?? false, "an unsigned row was accepted")
    hold(row)
  }

  private func hold(_ row: ImportedAnswer) {
    hold(row.answer, of: row.appUserID)
    check(row.observedAt.map(isWithinLimits) ?? false, "a row of no time that the App Store knew")
    holdText(row.answer.bundleID?.rawValue, atMost: FieldLimits.name)
    holdText(row.answer.environment.rawValue, atMost: FieldLimits.text)
    for transaction in row.answer.transactions {
      holdText(transaction.transactionID.rawValue, atMost: FieldLimits.id)
      holdText(transaction.originalTransactionID.rawValue, atMost: FieldLimits.id)
      holdText(transaction.productID.rawValue, atMost: FieldLimits.name)
      holdText(transaction.appAccountToken, atMost: FieldLimits.id)
      check(isWithinLimits(transaction.purchaseDate), "a purchase of no time that the App Store knew")
      check(FieldLimits.quantity.contains(transaction.quantity), "a quantity beyond its limits")
      guard let terms = transaction.terms else { continue }
      for text in [
        terms.storefront?.rawValue, terms.reason, terms.offerPeriod, terms.billingPlan,
        terms.appTransactionID,
        terms.revocation?.type,
      ] {
        holdText(text, atMost: FieldLimits.text)
      }
      holdText(terms.winBackOfferID, atMost: FieldLimits.offer)
      hold(terms.price)
    }
    for terms in row.answer.renewalTerms { hold(terms.price?.amount) }
  }

  private func hold(_ price: Money?) {
    guard let price else { return }
    let most = FieldLimits.signedPrice.upperBound * 1000
    check((0...most).contains(price.single), "a price beyond its limits")
    holdText(price.currency.rawValue, atMost: 3)
  }

  private func hold(_ notification: SignedNotification) {
    check(isWithinLimits(notification.signedAt), "a notification of no time that the App Store knew")
    holdText(notification.uuid, atMost: FieldLimits.id)
    holdText(notification.type.rawValue, atMost: FieldLimits.text)
    holdText(notification.subtype, atMost: FieldLimits.text)
    holdText(notification.bundleID?.rawValue, atMost: FieldLimits.name)
    holdText(notification.environment.rawValue, atMost: FieldLimits.text)
    _ = notification.digest
    for row in notification.rows { hold(row) }
  }

  private func isWithinLimits(_ t: Instant) -> Bool {
    (FieldLimits.earliest...FieldLimits.latest).contains(t)
  }
}
