/// Apple's `environment`; an undocumented value is preserved as `other`.
public enum StoreEnvironment: Hashable, Sendable, Comparable, Encodable {
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

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

/// Apple's `in_app_ownership_type`, which means purchased if it is missing, as in answers before 2021.
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

  /// Whether the purchase is family-shared or assigned, so that it has no price (METRICS §4, Price).
  public var isShared: Bool { self == .familyShared || self == .other("ASSIGNED") }

  public var rawValue: String {
    switch self {
    case .purchased: "PURCHASED"
    case .familyShared: "FAMILY_SHARED"
    case .other(let text): text
    }
  }

  /// Whether `left` takes precedence over `right`; `purchased` is last, because a missing field means it too.
  static func isMoreSpecific(_ left: Self, _ right: Self) -> Bool {
    (left == .purchased ? 1 : 0, left.rawValue) < (right == .purchased ? 1 : 0, right.rawValue)
  }
}

/// Apple's `expiration_intent`; it persists after a later renewal, so it must be checked against the dates.
public enum ExpirationIntent: Hashable, Sendable, Encodable {
  case customerCancelled
  case billingError
  case customerDidNotConsentToPriceIncrease
  case productNotAvailable
  case other
  case unknown(String)

  public init(_ text: String) { self = Self.table.first { $0.value.value == text }?.key ?? .unknown(text) }

  static func named(bySubtype text: String?) -> ExpirationIntent? {
    text.flatMap { text in table.first { $0.value.subtype == text }?.key }
  }

  public static func named(byEventReason text: String) -> ExpirationIntent? {
    if let entry = table.first(where: { $0.value.event == text }) { return entry.key }
    return text.hasPrefix(undocumented) ? .unknown(String(text.dropFirst(undocumented.count))) : nil
  }

  private struct Names: Sendable {
    var value: String
    /// Name in the JSON of reports, and in explanations that refer to Apple's fields.
    var name: String
    var words: String
    /// Clause that completes the text "It ended on …:".
    var sentence: String
    /// Name of the reason in the event feed: RevenueCat's name, if RevenueCat has one.
    var event: String
    var subtype: String?
  }

  private static let table: KeyValuePairs<Self, Names> = [
    .customerCancelled: Names(
      value: "1", name: "customer cancelled", words: "cancelled",
      sentence: "the customer turned off auto-renew", event: "UNSUBSCRIBE", subtype: "VOLUNTARY"),
    .billingError: Names(
      value: "2", name: "billing error", words: "billing failed",
      sentence: "Apple could not bill the renewal", event: "BILLING_ERROR", subtype: "BILLING_RETRY"),
    .customerDidNotConsentToPriceIncrease: Names(
      value: "3", name: "price increase not consented", words: "price increase declined",
      sentence: "the customer declined a price increase", event: "PRICE_INCREASE", subtype: "PRICE_INCREASE"),
    .productNotAvailable: Names(
      value: "4", name: "product not available", words: "product removed from sale",
      sentence: "the product was removed from sale before the renewal", event: "PRODUCT_UNAVAILABLE",
      subtype: "PRODUCT_NOT_FOR_SALE"),
    .other: Names(
      value: "5", name: "other", words: "other", sentence: "Apple reports another reason", event: "OTHER"),
  ]

  static let undocumented = "UNDOCUMENTED_"

  private var names: Names {
    if case .unknown(let text) = self {
      return Names(
        value: text, name: "unknown value \(text)", words: "undocumented reason \(text)",
        sentence: "Apple reports the undocumented reason \(text)", event: Self.undocumented + text)
    }
    return Self.table.first { $0.key == self }?.value
      ?? Names(value: "", name: "", words: "", sentence: "", event: "")
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  public var rawValue: String { names.value }
  public var name: String { names.name }
  public var words: String { names.words }
  public var sentence: String { names.sentence }
  public var eventReason: String { names.event }
  public var expiredSubtype: String? { names.subtype }

  /// Whether Apple, and not the customer, turns auto-renew off for this reason.
  var isApples: Bool {
    self == .billingError || self == .customerDidNotConsentToPriceIncrease || self == .productNotAvailable
  }
}

/// Optional that is encoded as `null` if it is `nil`, instead of being omitted.
@propertyWrapper
public struct ExplicitNull<Value: Encodable & Sendable>: Encodable, Sendable {
  public var wrappedValue: Value?
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension ExplicitNull: Equatable where Value: Equatable {}
extension ExplicitNull: Hashable where Value: Hashable {}

package struct NameKey: CodingKey, ExpressibleByStringLiteral {
  package let stringValue: String
  package var intValue: Int? { nil }
  package init(_ name: String) { stringValue = name }
  package init(stringValue: String) { self.stringValue = stringValue }
  package init(stringLiteral: String) { stringValue = stringLiteral }
  package init?(intValue: Int) { nil }
}

extension Encoder {
  func encode(_ members: KeyValuePairs<String, (any Encodable)?>) throws {
    var object = container(keyedBy: NameKey.self)
    for (name, value) in members {
      guard let value else {
        try object.encodeNil(forKey: NameKey(name))
        continue
      }
      try object.encode(value, forKey: NameKey(name))
    }
  }
}
