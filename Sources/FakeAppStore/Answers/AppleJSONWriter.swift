import FoundationEssentials
import Subscriptions

/// Writes JSON with Apple's own spacing: `", "` between members, a new line before every object of an array.
struct AppleJSONWriter: Sendable {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  private init(capacity: Int) { bytes.reserveCapacity(capacity) }

  /// A whole object.
  ///
  /// - Parameter capacity: the bytes that it is likely to have.
  static func object(capacity: Int, _ members: (inout AppleJSONWriter) -> Void) -> [UInt8] {
    var writer = AppleJSONWriter(capacity: capacity)
    writer.openObject()
    members(&writer)
    writer.closeObject()
    return writer.bytes
  }

  // MARK: Structure

  mutating func openObject() {
    separate()
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
  }

  mutating func closeObject() {
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  /// An element of an array stands on a line of its own.
  mutating func openElement() {
    separate()
    raw("\n{")
    needsComma = false
  }

  mutating func openArray(_ key: StaticString) {
    separate()
    raw("\n")
    name(key)
    bytes.append(UInt8(ascii: "["))
    needsComma = false
  }

  /// Of texts, on one line.
  mutating func openList() {
    bytes.append(UInt8(ascii: "["))
    needsComma = false
  }

  mutating func element(_ text: String) {
    separate()
    quoted(text)
  }

  mutating func closeArray() {
    bytes.append(UInt8(ascii: "]"))
    needsComma = true
  }

  /// The key of an object or a value to come.
  mutating func key(_ key: StaticString) {
    separate()
    name(key)
    needsComma = false
  }

  // MARK: Members

  mutating func member(_ key: StaticString, _ text: String) {
    self.key(key)
    quoted(text)
  }

  mutating func member(_ key: StaticString, _ text: String?) {
    if let text { member(key, text) }
  }

  /// Transactions spell their flags out.
  mutating func member(_ key: StaticString, _ flag: Bool) { member(key, flag ? "true" : "false") }

  /// A JSON number, of which Apple has few.
  mutating func number(_ key: StaticString, _ number: Int64?) {
    self.key(key)
    if let number { digits(number) } else { raw("null") }
    needsComma = true
  }

  mutating func base64(_ key: StaticString, of data: [UInt8]) {
    self.key(key)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: Data(data).base64EncodedData())
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  // MARK: Pieces

  mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  mutating func name(_ key: StaticString, suffix: StaticString = "") {
    bytes.append(UInt8(ascii: "\""))
    raw(key)
    raw(suffix)
    raw("\":")
  }

  /// Nothing that we write holds a quotation mark, a backslash or a control character.
  mutating func quoted(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\""))
    needsComma = true
  }

  mutating func digits(_ number: Int64) {
    bytes.append(contentsOf: String(number).utf8)
  }

  /// At least so many digits, with leading zeros.
  mutating func digits(_ number: Int, width: Int) {
    var place = 1
    for _ in 1..<width { place *= 10 }
    while place > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(number / place % 10))
      place /= 10
    }
  }

  mutating func endMember() { needsComma = true }

  private mutating func separate() {
    if needsComma { raw(", ") }
  }
}

/// What signed data has and receipts have not: numbers and booleans that are such, in JSON.
extension AppleJSONWriter {
  mutating func value(_ key: StaticString, _ number: Int64?) {
    if let number { self.number(key, number) }
  }

  /// Milliseconds since 1970.
  mutating func value(_ key: StaticString, _ instant: Instant?) { value(key, instant?.rawValue) }

  mutating func value(_ key: StaticString, _ flag: Bool?) {
    guard let flag else { return }
    self.key(key)
    raw(flag ? "true" : "false")
    endMember()
  }

  mutating func list(_ key: StaticString, _ texts: [String]) {
    self.key(key)
    openList()
    for text in texts { element(text) }
    closeArray()
  }
}

extension AppleJSONWriter {
  /// Apple's three forms: the text in UTC, milliseconds as a string, and the text by the clock of Los Angeles.
  mutating func date(_ key: StaticString, _ instant: Instant) {
    self.key(key)
    dateText(instant, zone: " Etc/GMT")
    suffixedName(key, "_ms")
    bytesOfMilliseconds(instant)
    suffixedName(key, "_pst")
    dateText(instant + PacificTime.offset(at: instant), zone: " America/Los_Angeles")
    endMember()
  }

  mutating func date(_ key: StaticString, _ instant: Instant?) {
    if let instant { date(key, instant) }
  }

  /// `"2026-11-21 09:05:00 Etc/GMT"`; milliseconds are cut off.
  mutating func dateText(_ local: Instant, zone: StaticString) {
    let day = local.civilDate
    let second = Int(local.millisecondOfDay / Milliseconds.second)
    raw("\"")
    digits(day.year, width: 4)
    raw("-")
    digits(day.month, width: 2)
    raw("-")
    digits(day.day, width: 2)
    raw(" ")
    digits(second / 3600, width: 2)
    raw(":")
    digits(second / 60 % 60, width: 2)
    raw(":")
    digits(second % 60, width: 2)
    raw(zone)
    raw("\"")
  }

  mutating func bytesOfMilliseconds(_ instant: Instant) {
    raw("\"")
    digits(instant.rawValue)
    raw("\"")
  }

  private mutating func suffixedName(_ key: StaticString, _ suffix: StaticString) {
    raw(", ")
    name(key, suffix: suffix)
  }
}

extension AppleJSONWriter {
  /// *responseBody.Latest_receipt_info*, in Apple's order of fields.
  mutating func latestReceiptInfo(_ row: Transaction) {
    beginRow(row)
    member("subscription_group_identifier", row.subscriptionGroupIdentifier?.rawValue)
    if row.isUpgraded { member("is_upgraded", true) }
    member("offer_code_ref_name", row.offerCodeRefName)
    member("app_account_token", row.appAccountToken)
    closeObject()
  }

  /// *responseBody.Receipt.In_app*: without the group, and without what only the server knows.
  mutating func inApp(_ row: Transaction) {
    beginRow(row)
    member("app_account_token", row.appAccountToken)
    closeObject()
  }

  private mutating func beginRow(_ row: Transaction) {
    openElement()
    member("quantity", "1")
    member("product_id", row.productID.rawValue)
    member("transaction_id", row.transactionID.rawValue)
    member("original_transaction_id", row.originalTransactionID.rawValue)
    date("purchase_date", row.purchaseDate)
    date("original_purchase_date", row.originalPurchaseDate)
    date("expires_date", row.expiresDate)
    date("cancellation_date", row.cancellationDate)
    member("web_order_line_item_id", row.webOrderLineItemID?.rawValue)
    member("is_trial_period", row.isTrialPeriod)
    if row.expiresDate != nil { member("is_in_intro_offer_period", row.isInIntroOfferPeriod) }
    member("promotional_offer_id", row.promotionalOfferID)
    member("cancellation_reason", row.cancellationReason)
    member("in_app_ownership_type", row.inAppOwnershipType.rawValue)
  }

  /// *responseBody.Pending_renewal_info*: here flags are "0" and "1".
  mutating func pendingRenewalInfo(_ info: RenewalInfo) {
    openElement()
    member("expiration_intent", info.expirationIntent?.rawValue)
    member("auto_renew_product_id", info.autoRenewProductID?.rawValue)
    member("original_transaction_id", info.originalTransactionID?.rawValue)
    member("is_in_billing_retry_period", info.isInBillingRetryPeriod.map { $0 ? "1" : "0" })
    date("grace_period_expires_date", info.gracePeriodExpiresDate)
    member("product_id", info.productID?.rawValue)
    member("auto_renew_status", info.autoRenewStatus.map { $0 ? "1" : "0" })
    member("price_consent_status", info.priceConsentStatus)
    member("price_increase_status", info.priceIncreaseStatus)
    member("promotional_offer_id", info.promotionalOfferID)
    member("offer_code_ref_name", info.offerCodeRefName)
    closeObject()
  }
}
