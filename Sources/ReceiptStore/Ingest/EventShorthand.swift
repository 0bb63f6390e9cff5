import Subscriptions

/// What the table of events leaves out because the rest tells it: half of what an event would take.
enum EventShorthand {
  /// Apple's notification type for most events of a type. Files hold what these leave out, so that none may change.
  private static let appleTypes: [LineEvent.Kind: String] = [
    .initialPurchase: "SUBSCRIBED", .renewal: "DID_RENEW", .resubscribe: "SUBSCRIBED",
    .offerRedeemed: "OFFER_REDEEMED", .productChange: "DID_CHANGE_RENEWAL_PREF", .cancellation: "REFUND",
    .billingIssue: "DID_FAIL_TO_RENEW", .expiration: "EXPIRED", .revoke: "REVOKE",
    .nonRenewingPurchase: "ONE_TIME_CHARGE",
  ]

  static func appleType(of event: LineEvent) -> String? {
    appleTypes[event.type] == event.appleName.type ? nil : event.appleName.type
  }

  static func periodType(of event: LineEvent) -> String? {
    event.periodType == "NORMAL" ? nil : event.periodType ?? ""
  }

  /// - Parameter products: the products of the chain's transactions.
  static func product(of event: LineEvent, _ products: [TransactionID: ProductID]) -> ProductID? {
    event.transactionID.flatMap { products[$0] } == event.productID ? nil : event.productID
  }

  /// The events in full, as a table in SQL.
  static let written = """
    (SELECT s.id, s.chain_id, s.is_family_share, s.type,
      ifnull(s.apple_type, CASE s.type \(cases) END) AS apple_type, s.apple_subtype, s.reason, s.transaction_id,
      ifnull(s.product_id, (SELECT y.product_id FROM transactions y
        WHERE y.transaction_id = s.transaction_id AND y.chain_id = s.chain_id)) AS product_id,
      s.new_product_id, s.app_user_id, nullif(ifnull(s.period_type, 'NORMAL'), '') AS period_type,
      s.is_trial_conversion, s.effective_at_ms, s.observed_at_ms, s.observed_after_ms,
      s.is_told_by_notification_alone, s.notification_type, s.notified_at_ms FROM events s)
    """

  private static let cases = appleTypes.map { "WHEN '\($0.key.rawValue)' THEN '\($0.value)'" }.sorted()
    .joined(separator: " ")
}
