import Screen
import Subscriptions

/// One field of a renewal info that is not what it was.
struct RenewalChange: Hashable, Sendable {
  /// Apple's name.
  var field: String
  var was: String
  var now: String
}

extension RenewalEntry {
  /// What differs from the info before; of the first one everything that it says.
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
