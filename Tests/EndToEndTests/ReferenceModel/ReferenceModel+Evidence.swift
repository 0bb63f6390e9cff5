extension ReferenceModel {
  struct Row: Sendable {
    var id: String
    var product: String
    var start: Int
    /// `nil` for a one-time purchase.
    var end: Int?
    var firstEnd: Int?
    var cancelled: Int?
    var reason: String?
    var isUpgraded: Bool
    var kind: String
    var promotion: String?
    var code: String?
    var isShared: Bool
    var others: [String]
    var signedPrice: (micros: Int, currency: String)?
    /// Refunded part in thousandths of a percent.
    var refundedPart: Int?
    var isSandbox = false
    var printed: JSON

    var number: Int { Int(id) ?? 0 }

    init(_ json: JSON) throws {
      id = try json.needed("transaction_id", \.text)
      product = try json.needed("product_id", \.text)
      start = try json.needed("purchase_ms", \.integer)
      end = json["expires_ms"]?.integer
      firstEnd = (json["ends_history"] ?? .null).list.first?["expires_ms"]?.integer
      cancelled = json["cancellation_ms"]?.integer
      reason = json["cancellation_reason"]?.text
      isUpgraded = json["upgraded"] == .flag(true)
      kind = try json.needed("kind", \.text)
      promotion = json["promotional_offer_id"]?.text
      code = json["offer_code_ref_name"]?.text
      isShared = json["in_app_ownership_type"] == .text("FAMILY_SHARED")
      others = (json["also_transaction_ids"] ?? .null).list.compactMap(\.text)
      if json["price_source"] == .text("signed"), let micros = json["price_micros"]?.integer,
        let currency = json["currency"]?.text
      {
        signedPrice = (micros, currency)
      }
      refundedPart = json["revocation_percentage"]?.integer
      printed = json
    }
  }

  struct Renewal: Sendable {
    var product: String?
    var nextProduct: String?
    var autoRenew: Bool?
    var intent: String?
    var isInRetry: Bool
    var graceEnd: Int?
    /// `price_consent_status` and `priceIncreaseStatus`.
    var consents: [String]
    /// First of the consecutive validations that showed it; `lastObservedAt` is the last.
    var observedAt: Int
    var lastObservedAt: Int

    init(_ json: JSON) throws {
      product = json["product_id"]?.text
      nextProduct = json["auto_renew_product_id"]?.text
      autoRenew = json["auto_renew_status"]?.flag
      intent = json["expiration_intent"]?.text
      isInRetry = json["is_in_billing_retry_period"]?.flag == true
      graceEnd = json["grace_period_expires_date_ms"]?.integer
      consents = ["price_consent_status", "price_increase_status"].compactMap { json[$0]?.text }
      observedAt = try json.needed("observed_at_ms", \.integer)
      lastObservedAt = try json.needed("last_observed_at_ms", \.integer)
    }
  }

  struct Notice: Sendable {
    var at: Int
    var type: String
    var subtype: String?
    var transaction: String?

    init(_ json: JSON) throws {
      at = try json.needed("observed_at_ms", \.integer)
      type = try json.needed("type", \.text)
      subtype = json["subtype"]?.text
      transaction = json["transaction_id"]?.text
    }
  }

  struct Chain: Sendable {
    var id: String
    var isSandbox: Bool
    var users: [String]
    var validations: [(at: Int, hasRenewals: Bool)]
    var goneAt: Int?
    var notices: [Notice]
    var oneTime: [Row]
    /// Lines, each with the output of the program about it.
    var lines: [(group: String?, rows: [Row], renewals: [Renewal], printed: JSON)]

    init(_ json: JSON) throws {
      id = try json.needed("original_transaction_id", \.text)
      let isSandbox = try json.needed("environment", \.text) != "Production"
      self.isSandbox = isSandbox
      func row(_ json: JSON) throws -> Row {
        var row = try Row(json)
        row.isSandbox = isSandbox
        return row
      }
      users = (json["app_user_ids"] ?? .null).list.compactMap(\.text)
      validations = try json.needed("validations", \.ownList).map { validation in
        (try validation.needed("at_ms", \.integer), validation["has_renewal_infos"] == .flag(true))
      }
      goneAt = json["gone_at_ms"]?.integer
      notices = try (json["notifications"] ?? .null).list.map(Notice.init)
      oneTime = try (json["one_time"] ?? .null).list.map(row)
      lines = try (json["lines"] ?? .null).list.map { line in
        (
          line["subscription_group_id"]?.text, try (line["transactions"] ?? .null).list.map(row),
          try (line["renewal_infos"] ?? .null).list.map(Renewal.init), line
        )
      }
    }
  }

  struct MissingEvidence: Error, CustomStringConvertible {
    var key: String
    var description: String { "the chain's JSON has no \(key)" }
  }
}

extension JSON {
  fileprivate var ownList: [JSON]? { if case .list(let values) = self { values } else { nil } }

  var flag: Bool? { if case .flag(let value) = self { value } else { nil } }

  fileprivate func needed<Value>(_ key: String, _ value: (JSON) -> Value?) throws -> Value {
    guard let member = self[key], let found = value(member) else {
      throw ReferenceModel.MissingEvidence(key: key)
    }
    return found
  }
}
