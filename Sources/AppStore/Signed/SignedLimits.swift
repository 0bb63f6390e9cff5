import Subscriptions

enum SignedLimits {
  private enum Kind {
    case appleID
    case id(longest: Int)
    case text(longest: Int)
    case number(ClosedRange<Int64>)
  }

  /// Limits by field; other texts have `FieldLimits.text`, names in `…Date` a date range, other numbers none.
  private static let kinds: [String: Kind] = [
    "transactionId": .appleID, "originalTransactionId": .appleID, "webOrderLineItemId": .appleID,
    "subscriptionGroupIdentifier": .appleID, "appTransactionId": .appleID,
    "appAccountToken": .id(longest: FieldLimits.id), "notificationUUID": .id(longest: FieldLimits.id),
    "notificationType": .id(longest: FieldLimits.text), "bundleId": .id(longest: FieldLimits.name),
    "productId": .id(longest: FieldLimits.name), "autoRenewProductId": .id(longest: FieldLimits.name),
    "commitmentAutoRenewProductId": .id(longest: FieldLimits.name),
    "offerIdentifier": .text(longest: FieldLimits.offer),
    "eligibleWinBackOfferIds": .text(longest: FieldLimits.offer),
    "signedTransactionInfo": .text(longest: FieldLimits.signedNotification),
    "signedRenewalInfo": .text(longest: FieldLimits.signedNotification),
    "signedAppTransactionInfo": .text(longest: FieldLimits.signedNotification),
    "quantity": .number(FieldLimits.quantity), "price": .number(FieldLimits.signedPrice),
    "renewalPrice": .number(FieldLimits.signedPrice), "commitmentPrice": .number(FieldLimits.signedPrice),
    "commitmentRenewalPrice": .number(FieldLimits.signedPrice), "revocationPercentage": .number(0...100_000),
    "billingPeriodNumber": .number(FieldLimits.billingPeriods), "autoRenewStatus": .number(0...1),
    "totalBillingPeriods": .number(FieldLimits.billingPeriods), "commitmentAutoRenewStatus": .number(0...1),
  ]

  private static let required = ["transactionId", "notificationType", "notificationUUID"]

  /// Checks all properties of a payload and of its nested objects; their names are Apple's field names.
  static func check(_ payload: Any) throws(SignedDataProblem) {
    for case (let name?, let value) in Mirror(reflecting: payload).children {
      switch value {
      case let text as String: try check(name, fault(of: text, name))
      case let number as Int64: try check(name, fault(of: number, name))
      case let texts as [String]:
        let most = FieldLimits.winBackOffers
        try check(name, texts.count > most ? "has more than \(most) elements" : nil)
        for text in texts {
          try check(name, text.utf8.contains(0x0A) ? "contains a line break" : fault(of: text, name))
        }
      default: try check(value)
      }
    }
  }

  private static func check(_ name: String, _ fault: String?) throws(SignedDataProblem) {
    if let fault { throw .unreadable("\(name) \(fault)") }
  }

  private static func fault(of text: String, _ name: String) -> String? {
    guard !text.isEmpty else { return required.contains(name) ? "is empty" : nil }
    // SQLite would truncate the text at the NUL byte.
    if text.utf8.contains(0) { return "contains a NUL byte" }
    let longest =
      switch kinds[name] {
      case .appleID: FieldLimits.id
      case .id(let longest), .text(let longest): longest
      case .number, nil: FieldLimits.text
      }
    if let breach = FieldLimits.breach(byBytes: text.utf8.count, over: longest) { return breach }
    return switch kinds[name] {
    case .appleID: AppleIDRule.fault(of: text)
    case .id: BlankValue.isBlank(text) ? "is blank" : nil
    default:
      name == "currency" && CurrencyCode(iso4217: text) == nil
        ? "is not a code of three capital letters" : nil
    }
  }

  private static func fault(of number: Int64, _ name: String) -> String? {
    if name.hasSuffix("Date") { return FieldLimits.breach(by: Instant(milliseconds: number)) }
    guard case .number(let limits) = kinds[name], !limits.contains(number) else { return nil }
    return "is not a whole number from \(limits.lowerBound) to \(limits.upperBound)"
  }
}
