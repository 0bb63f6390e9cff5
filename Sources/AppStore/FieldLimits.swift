import Subscriptions

/// Limits on data from outside, such as answers, notifications, receipts and files.
///
/// Lengths are in bytes. A message about refused data names the field and the limit, not the content.
public enum FieldLimits {
  /// Maximum length of an id; Apple's ids have at most 20 digits, its test ids 30 characters, and UUIDs 36.
  public static let id = 128
  /// Maximum length of a product or bundle id; App Store Connect accepts 100 and 155 characters.
  public static let name = 255
  public static let appUserID = 1024
  /// Maximum length of an offer's id or reference name; App Store Connect accepts 64 characters.
  public static let offer = 512
  /// Maximum length of any other text, such as an environment, a status or a date in text form.
  public static let text = 255
  /// Maximum length of a base64 receipt; the longest known has 5,004,203 (github.com/itenfay/DYFStoreKit#7).
  public static let receipt = 8 << 20
  /// Accepted quantities; StoreKit sells at most 10 items in one purchase.
  public static let quantity: ClosedRange<Int64> = 0...10_000
  public static let earliest = Instant.appStoreOpening
  /// Latest accepted date: the end of 2099, so that no time window is longer than a hundred years.
  public static let latest = Instant(milliseconds: 4_102_444_799_999)
  /// Maximum bytes of an answer; the answer to the longest known receipt can have 22 MB.
  ///
  /// A purchase takes about 420 bytes of a base64 receipt. In an answer, it takes 730 bytes twice, because it
  /// is in both `in_app` and `latest_receipt_info`. An answer also contains the receipt.
  public static let answer = 24 << 20
  /// Maximum rows in one list of an answer: twice as many as the longest known receipt can contain.
  public static let transactionsPerAnswer = 25_000
  /// Maximum renewal infos in an answer; Apple sends one for each product of a chain.
  public static let renewalInfosPerAnswer = 1000
  /// Maximum bytes of a line or JSON value in a file; above `answer`, because a value may enclose an answer.
  public static let line = 32 << 20
  /// Maximum bytes of a line of Apple's reports; the longest known has 1500.
  public static let reportLine = 64 << 10
  /// Maximum bad lines in an import; a file with more is probably in another format.
  public static let badLines = 100_000
  /// Maximum prices in a catalog, which is kept in memory.
  public static let prices = 100_000
  /// Maximum exchange rates in one import; the European Central Bank's history since 1999 has 300,000.
  public static let rates = 1_000_000
  /// Maximum bytes of a signed transaction or renewal info; Apple's have about 5,300.
  public static let signedRow = 64 << 10
  /// Maximum bytes of a Server API continuation token, whose length Apple does not document.
  public static let revision = 4096
  /// Maximum bytes of a notification's signed payload; Apple's have about 18,700.
  public static let signedNotification = 256 << 10
  /// Accepted prices in signed data, for the whole quantity, in thousandths of a currency unit.
  ///
  /// The maximum is about four times the price of the most expensive App Store item (USD 10,000) in
  /// Vietnamese dong, the currency with the smallest unit.
  public static let signedPrice = 0...Money.prices.upperBound / 1000
  /// Accepted counts and ordinals of billing periods in a commitment; Apple's commitments have 12.
  public static let billingPeriods: ClosedRange<Int64> = 0...1000
  public static let winBackOffers = 100
  public static let priceDigits = (whole: 9, fraction: 6)
  public static let level: ClosedRange<Int> = 1...1000

  /// Returns why an instant is out of range, as text to append to the field's name; `nil` if it is in range.
  package static func breach(by instant: Instant) -> String? {
    if instant < earliest { return "is before 2008-07-10, when the App Store opened" }
    return instant > latest ? "is after 2099-12-31" : nil
  }

  package static func breach(byBytes count: Int, over limit: Int) -> String? {
    guard count > limit else { return nil }
    return limit % (1 << 20) == 0
      ? "is longer than \(limit >> 20) MiB" : "is longer than \(limit) bytes"
  }

  /// Returns a count with thousands separators, as in `20,000`.
  package static func grouped(_ count: Int) -> String {
    let digits = Array(String(count))
    return digits.indices.reduce(into: "") { text, index in
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digits[index])
    }
  }
}

extension WireName {
  var longest: Int {
    switch self {
    case .transactionID, .originalTransactionID, .webOrderLineItemID, .subscriptionGroupIdentifier,
      .appAccountToken, .plainTransactionID, .plainOriginalTransactionID, .appTransactionID:
      FieldLimits.id
    case .productID, .autoRenewProductID, .bundleID, .legacyBundleID: FieldLimits.name
    case .appUserID: FieldLimits.appUserID
    case .promotionalOfferID, .offerCodeRefName: FieldLimits.offer
    case .latestReceipt, .latestExpiredReceipt, .receiptData: FieldLimits.receipt
    case .signedTransactionInfo, .signedRenewalInfo: FieldLimits.signedRow
    case .signedPayload: FieldLimits.signedNotification
    default: FieldLimits.text
    }
  }

  private var isOfApple: Bool {
    switch self {
    case .transactionID, .originalTransactionID, .webOrderLineItemID, .subscriptionGroupIdentifier,
      .plainTransactionID, .plainOriginalTransactionID, .appTransactionID:
      true
    default: false
    }
  }

  /// Whether the field contains an id that must not be blank; ids of offers may be blank.
  private var isID: Bool {
    switch self {
    case .appAccountToken, .productID, .autoRenewProductID, .bundleID, .legacyBundleID, .appUserID: true
    default: isOfApple
    }
  }

  /// Returns why a text is invalid in this field, as text to append to the field's name; `nil` if valid.
  func fault(of text: String) -> String? {
    if isOfApple { return AppleIDRule.fault(of: text) }
    return isID && BlankValue.isBlank(text) ? "is blank" : nil
  }

  /// Whether a number in this field must keep every digit, because it is an identifier.
  var isExact: Bool { isID || self == .promotionalOfferID || self == .offerCodeRefName }

  var most: Int {
    self == .pendingRenewalInfo ? FieldLimits.renewalInfosPerAnswer : FieldLimits.transactionsPerAnswer
  }
}
