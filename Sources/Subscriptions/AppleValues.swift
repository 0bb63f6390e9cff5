/// Apple's `environment`; a value it does not name is kept as it came.
public enum StoreEnvironment: Hashable, Sendable, Comparable {
  case production
  case sandbox
  case other(String)

  public init(_ text: String) {
    switch text {
    case "Production", "PROD": self = .production
    case "Sandbox": self = .sandbox
    default: self = .other(text)
    }
  }

  public var rawValue: String {
    switch self {
    case .production: "Production"
    case .sandbox: "Sandbox"
    case .other(let text): text
    }
  }

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension StoreEnvironment: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

/// Apple's `in_app_ownership_type`; absent in answers from before 2021, which means purchased.
public enum OwnershipType: Hashable, Sendable {
  case purchased
  case familyShared
  case other(String)

  public init(_ text: String?) {
    switch text {
    case nil, "PURCHASED": self = .purchased
    case "FAMILY_SHARED": self = .familyShared
    case .some(let text): self = .other(text)
    }
  }

  /// Whether somebody else paid, who shares a purchase with family or assigns it to others: METRICS §1.5.
  public var isShared: Bool { self == .familyShared || self == .other("ASSIGNED") }

  public var rawValue: String {
    switch self {
    case .purchased: "PURCHASED"
    case .familyShared: "FAMILY_SHARED"
    case .other(let text): text
    }
  }
}

/// Why an expired subscription ended: Apple's `expiration_intent`. It persists after a return was possible, so dates are tested first.
public enum ExpirationIntent: Hashable, Sendable {
  case customerCancelled
  case billingError
  case customerDidNotConsentToPriceIncrease
  case productNotAvailable
  case other
  case unknown(String)

  public init(_ text: String) {
    switch text {
    case "1": self = .customerCancelled
    case "2": self = .billingError
    case "3": self = .customerDidNotConsentToPriceIncrease
    case "4": self = .productNotAvailable
    case "5": self = .other
    default: self = .unknown(text)
    }
  }

  /// Intent that the subtype of an EXPIRED notification names; `nil` for any other text.
  static func named(bySubtype text: String?) -> ExpirationIntent? {
    switch text {
    case "VOLUNTARY": .customerCancelled
    case "BILLING_RETRY": .billingError
    case "PRICE_INCREASE": .customerDidNotConsentToPriceIncrease
    case "PRODUCT_NOT_FOR_SALE": .productNotAvailable
    default: nil
    }
  }

  /// The value on the wire.
  public var rawValue: String {
    switch self {
    case .customerCancelled: "1"
    case .billingError: "2"
    case .customerDidNotConsentToPriceIncrease: "3"
    case .productNotAvailable: "4"
    case .other: "5"
    case .unknown(let text): text
    }
  }

  /// In data; people read `words`.
  public var name: String {
    switch self {
    case .customerCancelled: "customer cancelled"
    case .billingError: "billing error"
    case .customerDidNotConsentToPriceIncrease: "price increase not consented"
    case .productNotAvailable: "product not available"
    case .other: "other"
    case .unknown(let text): "unknown value \(text)"
    }
  }

  /// For people, wherever a reason is told.
  public var words: String {
    switch self {
    case .customerCancelled: "cancelled"
    case .billingError: "billing failed"
    case .customerDidNotConsentToPriceIncrease: "price not agreed"
    case .productNotAvailable: "not for sale"
    case .other: "another reason"
    case .unknown(let text): "undocumented reason \(text)"
    }
  }
}
