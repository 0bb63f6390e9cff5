import Subscriptions

/// The answer to an iOS 6 style receipt: objects where there are arrays now, and 21006 once the subscription has expired.
struct LegacyAnswer {
  let subscriber: Subscriber
  let life: Life
  let now: Instant

  var answer: FakeAnswer {
    let rows = life.lines.flatMap { $0.transactions(at: now) }
    guard let first = rows.first, let latest = rows.max(by: Transaction.inOrder) else {
      return .refusal(21003)
    }
    let isExpired = (latest.expiresDate ?? .distantPast) <= now
    let status = isExpired ? 21006 : 0
    let info = life.lines.first?.renewalInfo(at: now)
    let body = AppleJSONWriter.object(capacity: 6_000) { writer in
      writer.member("auto_renew_product_id", info?.autoRenewProductID?.rawValue)
      writer.number("auto_renew_status", info?.autoRenewStatus == true ? 1 : 0)
      if isExpired {
        writer.member("expiration_intent", info?.expirationIntent?.rawValue)
        writer.member("is_in_billing_retry_period", info?.isInBillingRetryPeriod == true ? "1" : "0")
        writer.key("latest_expired_receipt_info")
      } else {
        writer.base64("latest_receipt", of: subscriber.receipt(of: life, at: now, padding: 0))
        writer.key("latest_receipt_info")
      }
      writer.legacyTransaction(latest, of: subscriber.bundleID)
      writer.key("receipt")
      writer.legacyTransaction(first, of: subscriber.bundleID)
      writer.number("status", Int64(status))
    }
    return FakeAnswer(status: status, body: body)
  }
}

extension AppleJSONWriter {
  /// Here `expires_date` is milliseconds, and its text is `expires_date_formatted`.
  fileprivate mutating func legacyTransaction(_ row: Transaction, of app: BundleID) {
    openObject()
    date("original_purchase_date", row.originalPurchaseDate)
    member("quantity", "1")
    member("bvrs", "431")
    if let expires = row.expiresDate {
      key("expires_date_formatted")
      dateText(expires, zone: " Etc/GMT")
      endMember()
      key("expires_date_formatted_pst")
      dateText(expires + PacificTime.offset(at: expires), zone: " America/Los_Angeles")
      endMember()
      key("expires_date")
      bytesOfMilliseconds(expires)
      endMember()
    }
    date("purchase_date", row.purchaseDate)
    date("cancellation_date", row.cancellationDate)
    member("cancellation_reason", row.cancellationReason)
    member("is_trial_period", row.isTrialPeriod)
    member("is_in_intro_offer_period", row.isInIntroOfferPeriod)
    member("item_id", "1450000002")
    member("app_item_id", "1450000001")
    member("original_transaction_id", row.originalTransactionID.rawValue)
    member("transaction_id", row.transactionID.rawValue)
    member("web_order_line_item_id", row.webOrderLineItemID?.rawValue)
    member("product_id", row.productID.rawValue)
    member("subscription_group_identifier", row.subscriptionGroupIdentifier?.rawValue)
    member("in_app_ownership_type", row.inAppOwnershipType.rawValue)
    member("bid", app.rawValue)
    closeObject()
  }
}
