import Screen
import Subscriptions

struct RenewalChange: Hashable, Sendable {
  /// Apple's name of the field.
  var field: String
  var was: String
  var now: String
}

extension RenewalEntry {
  /// Returns the differences from the previous renewal info, or all fields of the first one.
  func changes(since old: Self?, in wording: Wording) -> [RenewalChange] {
    let glyphs = wording.glyphs
    let before = old?.fields(in: wording) ?? []
    return fields(in: wording).enumerated().compactMap { index, field in
      let was = before.indices.contains(index) ? before[index].value : nil
      guard was != field.value else { return nil }
      return RenewalChange(field: field.name, was: was ?? glyphs.dash, now: field.value ?? glyphs.dash)
    }
  }

  private func fields(in wording: Wording) -> [(name: String, value: String?)] {
    let name = wording.products.name
    return [
      ("product_id", productId.map(name)), ("auto_renew_product_id", autoRenewProductId.map(name)),
      ("auto_renew_status", autoRenewStatus.map { $0 ? "1 on" : "0 off" }),
      ("expiration_intent", expirationIntent.map { "\($0) \(ExpirationIntent($0).words)" }),
      ("is_in_billing_retry_period", isInBillingRetryPeriod.map { $0 ? "1 yes" : "0 no" }),
      ("grace_period_expires_date", gracePeriodExpiresDateMs.map(wording.minute)),
      ("price_consent_status", priceConsentStatus), ("price_increase_status", priceIncreaseStatus),
      ("promotional_offer_id", promotionalOfferId), ("offer_code_ref_name", offerCodeRefName),
    ]
  }
}
