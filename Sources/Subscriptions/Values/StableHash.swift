/// FNV-1a hash of 128 bits, which is the same in every process and on every machine, unlike Swift's hashes.
package struct StableHash {
  package private(set) var value = UInt128(0x6C62_272E_07BB_0142) << 64 | 0x62B8_2175_6295_C58D
  private static var prime: UInt128 { (UInt128(1) << 88) + 0x13B }

  package init() {}

  package mutating func add(_ text: String?) {
    guard let text else {
      add(byte: 0xFE)
      return
    }
    for byte in text.utf8 { add(byte: byte) }
    add(byte: 0xFF)
  }

  package mutating func add(bytes: some Sequence<UInt8>) { for byte in bytes { add(byte: byte) } }

  mutating func add(_ number: some FixedWidthInteger) {
    var rest = number.littleEndian
    withUnsafeBytes(of: &rest) { bytes in
      for byte in bytes { add(byte: byte) }
    }
  }

  mutating func add(_ instant: Instant?) {
    add(instant == nil ? 0 : 1 as Int8)
    add(instant?.rawValue ?? 0)
  }

  mutating func add(_ flag: Bool?) { add(flag.map { $0 ? 1 : 0 } ?? 2 as Int8) }

  private mutating func add(byte: UInt8) { value = (value ^ UInt128(byte)) &* Self.prime }

  mutating func add(_ row: Transaction) {
    add(row.transactionID.rawValue)
    add(row.originalTransactionID.rawValue)
    add(row.webOrderLineItemID?.rawValue)
    add(row.productID.rawValue)
    add(row.subscriptionGroupIdentifier?.rawValue)
    add(row.quantity)
    for instant in [row.purchaseDate, row.originalPurchaseDate, row.expiresDate, row.cancellationDate] {
      add(instant)
    }
    add(row.cancellationReason)
    for flag in [row.isTrialPeriod, row.isInIntroOfferPeriod, row.isUpgraded] { add(flag) }
    add(row.inAppOwnershipType.rawValue)
    for text in [row.promotionalOfferID, row.offerCodeRefName, row.appAccountToken] { add(text) }
    // The time of signature is left out, because it is not a fact about the transaction.
    guard let terms = row.terms else { return }
    add(terms.price?.single ?? -1)
    for text in [terms.price?.currency.rawValue, terms.storefront?.rawValue, terms.revocation?.type] {
      add(text)
    }
    add(terms.revocation?.percentage ?? -1)
    add(terms.commitment?.billingPeriodNumber ?? -1)
    add(terms.commitment?.expires)
    add(terms.offerType ?? -1)
    add(terms.offerDiscountType)
  }

  mutating func add(_ info: RenewalInfo) {
    add(info.originalTransactionID?.rawValue)
    add(info.productID?.rawValue)
    add(info.autoRenewProductID?.rawValue)
    add(info.autoRenewStatus)
    add(info.expirationIntent?.rawValue)
    add(info.isInBillingRetryPeriod)
    add(info.gracePeriodExpiresDate)
    for text in [
      info.priceConsentStatus, info.priceIncreaseStatus, info.promotionalOfferID, info.offerCodeRefName,
    ] {
      add(text)
    }
  }
}

extension UInt128 {
  public var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}

extension RenewalInfo {
  /// Hash of all fields, which is also the sort key for the renewal infos of an answer.
  public var digest: UInt128 {
    var hash = StableHash()
    hash.add(self)
    return hash.value
  }
}

extension RenewalObservation {
  static func inOrder(_ left: Self, _ right: Self) -> Bool {
    left.observedAt == right.observedAt
      ? left.info.digest < right.info.digest : left.observedAt < right.observedAt
  }
}
