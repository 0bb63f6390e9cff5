/// Identifier that is kept as text, because ids can have leading zeros or letters.
public protocol TextIdentifier: RawRepresentable, Hashable, Comparable, Sendable, Codable,
  CustomStringConvertible
where RawValue == String {
  init(rawValue: String)
}

extension TextIdentifier {
  public init(_ text: String) { self.init(rawValue: text) }
  public var description: String { rawValue }

  /// Orders by length, then by code unit, so that numeric ids sort as numbers.
  public static func < (left: Self, right: Self) -> Bool {
    var (left, right) = (left.rawValue, right.rawValue)
    return left.withUTF8 { a in
      right.withUTF8 { b in
        a.count == b.count ? a.lexicographicallyPrecedes(b) : a.count < b.count
      }
    }
  }
}

/// Apple's `transaction_id`; a restore on another device creates another id for the same purchase.
public struct TransactionID: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Apple's `original_transaction_id`, which identifies a chain across renewals, product changes and lapses.
public struct OriginalTransactionID: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Apple's `web_order_line_item_id`, which family-shared rows and one-time purchases lack.
public struct WebOrderLineItemID: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Apple's `product_id`, ordered as text.
public struct ProductID: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Apple's `subscription_group_identifier`, which `in_app` rows and old answers lack.
public struct SubscriptionGroupID: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The app's own id of a user, imported with a receipt.
public struct AppUserID: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

public struct BundleID: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Apple's `storefront`: the customer's country or region, ISO 3166-1 alpha-3.
public struct StorefrontCode: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Row number of a receipt in the store.
public struct ReceiptID: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  public let rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public var description: String { String(rawValue) }
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
