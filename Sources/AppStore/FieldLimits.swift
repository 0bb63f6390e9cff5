import Subscriptions

/// How large what comes from outside may be, whoever it comes from: an answer, a notification, a receipt, a file.
///
/// More is refused with a sentence that names the field and its limit, never what stood there: an answer is unreadable and
/// asked for again, a line of a file is a bad line. Everything that Apple was seen to send is well below.
public enum FieldLimits {
  /// Bytes of an id: Apple's have at most 20 digits, its tests' 30 characters, and a UUID has 36.
  public static let id = 128
  /// Bytes of a product id or a bundle id: App Store Connect takes 100 and 155 characters.
  public static let name = 255
  /// Bytes of a user's id, which is the app's own.
  public static let appUserID = 1024
  /// Bytes of an offer's id or reference name: App Store Connect takes 64 characters.
  public static let offer = 512
  /// Bytes of any other text: an environment, a status, a date in words.
  public static let text = 255
  /// Bytes of a receipt in base64: the longest that anybody has told of has 5,004,203 (github.com/itenfay/DYFStoreKit, issue 7).
  public static let receipt = 8 << 20
  /// StoreKit sells up to 10 at once.
  public static let quantity: ClosedRange<Int64> = 0...10_000
  public static let earliest = Instant.appStoreOpening
  /// The end of the year 2099: no subscription is paid for beyond it, and every window stays below a hundred years.
  public static let latest = Instant(milliseconds: 4_102_444_799_999)
  /// Bytes of an answer. A purchase takes some 420 bytes of a real receipt in base64 and twice 730 of a real answer, once in
  /// `in_app` and once in `latest_receipt_info`: the longest known receipt holds 12,000 purchases at the most, and its answer 22 MB
  /// with `latest_receipt`. Ten years of weekly renewals beside 5,000 consumables come to 7 MB.
  public static let answer = 24 << 20
  /// Rows in one list of an answer: twice what the longest known receipt can hold, since short rows of no use to anybody make
  /// many of few bytes.
  public static let transactionsPerAnswer = 25_000
  /// Renewal infos in an answer, which has one for each product of a chain.
  public static let renewalInfosPerAnswer = 1000
  /// Bytes of a line of an imported file, or of one value over many lines: an answer, with what stands around it.
  public static let line = 32 << 20
  /// A file with more bad lines is not of the kind that it was imported as.
  public static let badLines = 100_000
  /// Prices in a catalogue, which is in memory as a whole.
  public static let prices = 100_000
  /// Exchange rates in the files of an import: the European Central Bank's history since 1999 has 300,000.
  public static let rates = 1_000_000
  /// Bytes of a signed transaction or renewal info, of which Apple's have 5,300.
  public static let signedRow = 64 << 10
  /// Bytes of a token that the Server API gives to go on with; Apple does not say how long they are.
  public static let revision = 4096
  /// Bytes of a notification's signed payload, of which Apple's have 18,700.
  public static let signedNotification = 256 << 10
  /// Thousandths of a unit of any currency, for all of a quantity: a thousand million units, which is four times what the dearest item of
  /// the App Store (USD 10,000) costs in its smallest currency (Vietnamese dong, 26,000 for a dollar).
  public static let signedPrice = 0...Money.prices.upperBound / 1000
  /// Months of a commitment, of which Apple's has 12.
  public static let billingPeriods: ClosedRange<Int64> = 0...1000
  /// Offers that a customer may come back with, in one renewal info.
  public static let winBackOffers = 100
  /// Digits before the point of a price, and behind it.
  public static let priceDigits = (whole: 9, fraction: 6)
  public static let level: ClosedRange<Int> = 1...1000
}

extension FieldLimits {
  /// What stands for an instant that is none: nil where it is within the limits.
  package static func breach(by instant: Instant) -> String? {
    if instant < earliest { return "is before 2008-07-10, when the App Store opened" }
    return instant > latest ? "is after 2099-12-31" : nil
  }

  package static func breach(byBytes count: Int, over limit: Int) -> String? {
    guard count > limit else { return nil }
    return limit % (1 << 20) == 0
      ? "is longer than \(limit >> 20) MiB" : "is longer than \(limit) bytes"
  }
}

extension WireName {
  /// Bytes that its text may have.
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

  /// Whether it is an id that Apple gives.
  private var isOfApple: Bool {
    switch self {
    case .transactionID, .originalTransactionID, .webOrderLineItemID, .subscriptionGroupIdentifier,
      .plainTransactionID, .plainOriginalTransactionID, .appTransactionID:
      true
    default: false
    }
  }

  /// Whether its text names or finds something, which a blank one does not.
  private var isID: Bool {
    switch self {
    case .appAccountToken, .productID, .autoRenewProductID, .bundleID, .legacyBundleID, .appUserID: true
    default: isOfApple
    }
  }

  /// Fault of its text, in words that follow the name; `nil` if it has none.
  func fault(of text: String) -> String? {
    if isOfApple { return AppleIDRule.fault(of: text) }
    return isID && BlankValue.isBlank(text) ? "is blank" : nil
  }

  /// Whether a number in its place is read digit by digit, because it is an id and no quantity.
  var isExact: Bool { isID || self == .promotionalOfferID || self == .offerCodeRefName }

  /// Elements that its list may have.
  var most: Int {
    self == .pendingRenewalInfo ? FieldLimits.renewalInfosPerAnswer : FieldLimits.transactionsPerAnswer
  }
}

extension FieldLimits {
  /// The table that `subtop help limits` prints.
  package static var table: [(what: String, limit: String)] {
    [
      ("ids of transactions, orders and subscription groups, app account tokens", "\(id) bytes"),
      ("product ids, bundle ids", "\(name) bytes"),
      ("app_user_id", "\(appUserID) bytes"),
      ("ids and reference names of offers", "\(offer) bytes"),
      ("any other text of an answer", "\(text) bytes"),
      ("a receipt in base64", mebibytes(receipt)),
      ("a signed transaction or renewal info", "\(signedRow >> 10) KiB"),
      ("a signed notification", "\(signedNotification >> 10) KiB"),
      ("an answer of the App Store", mebibytes(answer)),
      ("a line of a file, or one JSON value over many lines", mebibytes(line)),
      ("dates", "2008-07-10 to 2099-12-31"),
      (
        "a signed price, for all of a quantity",
        "\(grouped(Int(signedPrice.upperBound / 1000))) units of its currency"
      ),
      ("quantity", "\(quantity.lowerBound) to \(grouped(Int(quantity.upperBound)))"),
      ("rows in a list of an answer", grouped(transactionsPerAnswer)),
      ("pending_renewal_info of an answer", grouped(renewalInfosPerAnswer)),
      ("prices in a catalogue", grouped(prices)),
      ("rates in an import", grouped(rates)),
      ("digits of a price before and behind the point", "\(priceDigits.whole) and \(priceDigits.fraction)"),
      ("level of a catalogue", "\(level.lowerBound) to \(grouped(level.upperBound))"),
      ("bad lines of an import, also with --skip-invalid", grouped(badLines)),
    ]
  }

  private static func mebibytes(_ bytes: Int) -> String { "\(bytes >> 20) MiB" }

  /// `20,000`, as counts are written everywhere.
  package static func grouped(_ count: Int) -> String {
    let digits = Array(String(count))
    return digits.indices.reduce(into: "") { text, index in
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digits[index])
    }
  }
}
