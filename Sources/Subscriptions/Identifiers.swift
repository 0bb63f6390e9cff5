/// An identifier that is text on Apple's wire and stays text here: leading zeros and non-numeric ids exist.
public protocol TextIdentifier: RawRepresentable, Hashable, Comparable, Sendable, Codable,
  CustomStringConvertible
where RawValue == String {
  init(rawValue: String)
}

extension TextIdentifier {
  public init(_ text: String) { self.init(rawValue: text) }
  public var description: String { rawValue }

  /// Shorter first, then by code unit: ids that are numbers sort as numbers, the rest still has one order.
  public static func < (left: Self, right: Self) -> Bool {
    var (left, right) = (left.rawValue, right.rawValue)
    return left.withUTF8 { a in
      right.withUTF8 { b in
        a.count == b.count ? a.lexicographicallyPrecedes(b) : a.count < b.count
      }
    }
  }
}

/// Apple's `transaction_id`: one purchase or renewal; a restore on another device gives the same purchase another one.
public struct TransactionID: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Apple's `original_transaction_id`: names a chain, over renewals, product changes and lapses.
public struct OriginalTransactionID: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Apple's `web_order_line_item_id`: one billing event across devices; absent on family-shared and one-time rows.
public struct WebOrderLineItemID: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Apple's `product_id`, as set up in App Store Connect.
public struct ProductID: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Alphabetical: people look for products by name.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Apple's `subscription_group_identifier`; absent in `in_app` rows and in old answers.
public struct SubscriptionGroupID: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The caller's own name for a user, as handed over with a receipt.
public struct AppUserID: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Apple's `bundle_id`: the app that a receipt was issued to.
public struct BundleID: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Apple's `storefront`: the country or region in which a customer shops, ISO 3166-1 alpha-3.
public struct StorefrontCode: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The row number of a receipt in the store; never its content, which is personal data.
public struct ReceiptID: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  public let rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public var description: String { String(rawValue) }
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
