import Subscriptions

/// Limits on data from outside: answers, notifications, receipts and files.
///
/// The message for refused data names the field and the limit, but not the content. A refused answer is
/// requested again; a refused line counts as a bad line. Apple's own data is well below the limits.
public enum FieldLimits {
  /// Maximum bytes of an id. Apple's ids have at most 20 digits, its test ids 30 characters, and UUIDs 36.
  public static let id = 128
  /// Maximum bytes of a product id or bundle id. App Store Connect accepts 100 and 155 characters.
  public static let name = 255
  /// Maximum bytes of a user id that the app assigns.
  public static let appUserID = 1024
  /// Maximum bytes of an offer's id or reference name. App Store Connect accepts 64 characters.
  public static let offer = 512
  /// Maximum bytes of any other text, such as an environment, a status or a date in text form.
  public static let text = 255
  /// Maximum bytes of a base64 receipt. Longest known: 5,004,203 (github.com/itenfay/DYFStoreKit, issue 7).
  public static let receipt = 8 << 20
  /// Accepted quantities. StoreKit sells at most 10 items in one purchase.
  public static let quantity: ClosedRange<Int64> = 0...10_000
  public static let earliest = Instant.appStoreOpening
  /// Latest accepted date, the end of 2099. It keeps every time window shorter than a hundred years.
  public static let latest = Instant(milliseconds: 4_102_444_799_999)
  /// Maximum bytes of an answer. A purchase takes about 420 bytes in a base64 receipt, and twice 730 bytes in
  /// an answer, which lists it in both `in_app` and `latest_receipt_info`. The longest known receipt thus has
  /// at most 12,000 purchases, and its answer 22 MB including `latest_receipt`. Ten years of weekly renewals
  /// plus 5,000 consumables take 7 MB.
  public static let answer = 24 << 20
  /// Maximum rows in one list of an answer: twice as many as the longest known receipt can contain.
  public static let transactionsPerAnswer = 25_000
  /// Maximum renewal infos in an answer. Apple sends one for each product of a chain.
  public static let renewalInfosPerAnswer = 1000
  /// Maximum bytes of a line or JSON value in a file. More than `answer`, because an object may enclose one.
  public static let line = 32 << 20
  /// Maximum bytes of a line of Apple's reports. The longest known has 1500.
  public static let reportLine = 64 << 10
  /// Maximum bad lines in an import. A file with more probably has another format.
  public static let badLines = 100_000
  /// Maximum prices in a catalogue, which is kept in memory.
  public static let prices = 100_000
  /// Maximum exchange rates in one import. The European Central Bank's history since 1999 has 300,000.
  public static let rates = 1_000_000
  /// Maximum bytes of a signed transaction or renewal info. Apple sends about 5,300 bytes.
  public static let signedRow = 64 << 10
  /// Maximum bytes of a Server API continuation token. Apple does not document its length.
  public static let revision = 4096
  /// Maximum bytes of a notification's signed payload. Apple sends about 18,700 bytes.
  public static let signedNotification = 256 << 10
  /// Accepted signed prices for the whole quantity, in thousandths of a currency unit. The limit of 10⁹ units
  /// is four times the price of the most expensive App Store item (USD 10,000) in the currency with the
  /// smallest unit (Vietnamese dong, 26,000 per US dollar).
  public static let signedPrice = 0...Money.prices.upperBound / 1000
  /// Accepted numbers of months in a commitment. Apple's commitments have 12.
  public static let billingPeriods: ClosedRange<Int64> = 0...1000
  public static let winBackOffers = 100
  /// Maximum digits of a price before and after the decimal point.
  public static let priceDigits = (whole: 9, fraction: 6)
  public static let level: ClosedRange<Int> = 1...1000

  /// Returns why an instant is out of range, as a phrase after the field's name; `nil` if it is in range.
  package static func breach(by instant: Instant) -> String? {
    if instant < earliest { return "is before 2008-07-10, when the App Store opened" }
    return instant > latest ? "is after 2099-12-31" : nil
  }

  package static func breach(byBytes count: Int, over limit: Int) -> String? {
    guard count > limit else { return nil }
    return limit % (1 << 20) == 0
      ? "is longer than \(limit >> 20) MiB" : "is longer than \(limit) bytes"
  }

  /// Table printed by `subtop help limits`.
  package static var table: [(what: String, limit: String)] {
    [
      ("ids of transactions, orders and subscription groups, app account tokens", "\(id) bytes"),
      ("product ids, bundle ids", "\(name) bytes"),
      ("app_user_id", "\(appUserID) bytes"),
      ("ids and reference names of offers", "\(offer) bytes"),
      ("any other text in an answer", "\(text) bytes"),
      ("a receipt in base64", mebibytes(receipt)),
      ("a signed transaction or renewal info", "\(signedRow >> 10) KiB"),
      ("a signed notification", "\(signedNotification >> 10) KiB"),
      ("an answer from the App Store", mebibytes(answer)),
      ("a line of a file, or one JSON value over many lines", mebibytes(line)),
      ("a line of one of Apple's reports", "\(reportLine >> 10) KiB"),
      ("dates", "2008-07-10 to 2099-12-31"),
      (
        "a signed price, for the whole quantity",
        "\(grouped(Int(signedPrice.upperBound / 1000))) units of its currency"
      ),
      ("quantity", "\(quantity.lowerBound) to \(grouped(Int(quantity.upperBound)))"),
      ("rows in each list of an answer", grouped(transactionsPerAnswer)),
      ("pending_renewal_info in an answer", grouped(renewalInfosPerAnswer)),
      ("prices in a catalogue", grouped(prices)),
      ("rates in an import", grouped(rates)),
      ("digits of a price before and after the point", "\(priceDigits.whole) and \(priceDigits.fraction)"),
      ("level in a catalogue", "\(level.lowerBound) to \(grouped(level.upperBound))"),
      ("bad lines in an import, also with --skip-invalid", grouped(badLines)),
    ]
  }

  private static func mebibytes(_ bytes: Int) -> String { "\(bytes >> 20) MiB" }

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
  /// Maximum length of the text, in bytes.
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

  /// Whether the value is an id that Apple assigns.
  private var isOfApple: Bool {
    switch self {
    case .transactionID, .originalTransactionID, .webOrderLineItemID, .subscriptionGroupIdentifier,
      .plainTransactionID, .plainOriginalTransactionID, .appTransactionID:
      true
    default: false
    }
  }

  /// Whether the field contains an id or a name, which must not be blank.
  private var isID: Bool {
    switch self {
    case .appAccountToken, .productID, .autoRenewProductID, .bundleID, .legacyBundleID, .appUserID: true
    default: isOfApple
    }
  }

  /// Returns what is wrong with a text in this field, in words that follow the field's name; `nil` if valid.
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
