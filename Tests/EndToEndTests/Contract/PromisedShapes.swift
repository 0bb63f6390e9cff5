import Subscriptions

/// JSON members of each command that must not change.
extension Shape {
  static func report(_ panel: Panel) -> Shape {
    guard case .object(var members) = anyReport else { return anyReport }
    members["data"] = data(panel)
    return .object(members)
  }

  private static let anyReport: Shape = """
    report:text as_of_ms window {days from_ms to_ms} scope {environment:text ownership:text}
    trust {receipts lines fresh_24h?:number overdue unpriced_transactions excluded_sandbox excluded_family_shared}
    trend {series [{figure:text currency?:text before? values:integers}]}
    """

  private static func data(_ panel: Panel) -> Shape {
    switch panel {
    case .active:
      """
      paid trial trial_auto_renew_off by_kind {standard intro promo code winback} renewing auto_renew_off auto_renew_unknown
      grace overdue mrr:amounts by_product [{product_id:text paid trial grace mrr:amounts}]
      by_storefront [{storefront?:text paid trial grace mrr:amounts}]
      """
    case .billingRetry:
      """
      lines users grace {lines users} at_risk_mrr {billing_retry:amounts grace:amounts} by_product [{product_id:text lines}]
      rows [{original_transaction_id:text app_user_id?:text product_id:text expired_at_ms days_in_retry retry_ends_at_ms}]
      """
    case .churn:
      """
      by_intent [{intent?:text name:text paid trial}] refunded {paid trial} lost_paid lost_trial voluntary involuntary
      base_at_start churn_rate?:number renewals [{period?:text due renewed recovered pending lost}]
      trials {ended converted converted_late}
      """
    case .refunds:
      """
      count by_reason {app_issue other unknown} amount:amounts unpriced one_time
      cohort {paid_transactions refunded rate?:number} by_product [{product_id:text count amount:amounts}]
      """
    case .upgrades:
      """
      immediate {upgrade crossgrade unranked} prorated_refund:amounts unpriced at_renewal {downgrade crossgrade unranked}
      pending rows [{original_transaction_id:text transaction_id:text from_product_id:text to_product_id?:text kind:text
      upgraded_at_ms price_micros? currency?:text prorated_refund_micros?}]
      """
    case .overview:
      """
      active_paid trial mrr:amounts billing_retry grace churn_rate?:number lost_paid refunds refund_amount:amounts
      prorated_refund:amounts overdue sales {transactions amount:amounts proceeds:amounts unpriced}
      movement {subscribers {start new lost end}}
      movement_by_product [{product_id:text start end lost mrr_change:amounts}]
      revenue_change? {currency:text lines currencies start_micros end_micros movers [{figure:text lines micros}]}
      """
    case .events:
      """
      rows [{type:text apple_type?:text flow?:text original_transaction_id:text transaction_id?:text product_id:text
      effective_at_ms observed_at_ms}]
      """
    case .movement:
      """
      subscribers {start new converted recovered returned resubscribed to_trial to_retry to_overdue to_unattributed lost end}
      lost_by_reason {cancelled billing_error price_increase unavailable refunded other unknown}
      trials {start trial_started to_trial converted trial_to_retry trial_to_overdue trial_to_unattributed trial_lost end}
      billing_retry {start to_retry trial_to_retry recovered converted trial_started lost trial_lost end}
      mrr [{currency:text start_micros new_micros converted_micros recovered_micros returned_micros resubscribed_micros
      to_trial_micros to_retry_micros to_overdue_micros to_unattributed_micros lost_micros expansion_micros
      contraction_micros repriced_micros end_micros}]
      """
    case .recovery:
      """
      entered recovered still_retrying lost
      mrr {entered:amounts recovered:amounts still_retrying:amounts lost:amounts}
      curve [{days recovered of rate?:number recovered_mrr:amounts of_mrr:amounts}] curve_before [{days recovered of}]
      with_grace {outcomes {entered recovered still_retrying lost} curve [{days recovered of}]}
      without_grace {outcomes {entered recovered still_retrying lost} curve [{days recovered of}]}
      by_product [{product_id:text outcomes {entered lost}}] by_month [{month:text outcomes {entered lost}}]
      by_week [{week:text outcomes {entered lost}}] standing [{from_days to_days? lines mrr:amounts}]
      """
    case .cohorts:
      """
      rows [{month:text lines mrr:amounts retained [{months lines of rate?:number mrr:amounts mrr_of:amounts}]}]
      """
    case .offers:
      """
      offers [{kind:text offer?:text product_id:text started running converted renewed lost cost:amounts brought:amounts
      unpriced balance:amounts}] price_increases {asked agreed running lapsed pending lost}
      pending [{original_transaction_id:text app_user_id?:text product_id:text expires_ms days_left}]
      opt_outs {turned_off turned_on_again lapsed running at_stake at_stake_mrr:amounts}
      """
    }
  }

  static let chain: Shape = """
    original_transaction_id:text app_user_ids:texts validations [{at_ms has_renewal_infos:flag}]
    receipts [{id environment?:text last_validated_at_ms? last_status? next_due_at_ms?}]
    lines [{subscription_group_id?:text state:text why:text access_until_ms product_id:text auto_renew?:flag
      expiration_intent?:text price_consent_pending:flag change_pending:flag
      transactions [{transaction_id:text product_id:text kind:text purchase_ms expires_ms? effective_end_ms?
        cancellation_ms? refunded:flag upgraded:flag price_micros? currency?:text prorated_refund_micros?}]
      next_renewal? {renewal_date_ms price_micros?} renewal_infos [{observed_after_ms? observed_at_ms}]}]
    one_time [{transaction_id:text product_id:text kind:text purchase_ms expires_ms? effective_end_ms?
      cancellation_ms? refunded:flag upgraded:flag price_micros? currency?:text prorated_refund_micros?}]
    """

  static let sweep: Shape = """
    picked validated unchanged changed new_transactions rerouted retry_later rejected by_status:counts http:counts
    transport_errors seconds:number receipts_per_second:number stopped?:text failures [{reason:text count}]
    """

  static let sweepRecord: Shape = """
    id selection:text started_by:text state:text started_at_ms last_seen_at_ms finished_at_ms? stopped?:text failure?:text
    picked validated unchanged changed new_transactions renewals refunds state_changes rerouted retried retry_later rejected
    given_back transport_errors http:counts last_transport_error?:text not_before_ms?
    statuses [{status count last_seen_at_ms example_receipt}] stopped_apps [{bundle_id?:text reason:text}]
    latency_ms? {p50:number p95:number}
    """

  static let doctor: Shape = "version:text problems warnings checks [{check:text result:text says:text}]"

  static let status: Shape = """
    as_of_ms of_now:texts receipts lines transactions due_now overdue_lines fresh_24h?:number dead inbox
    prices {signed catalogue unpriced} last_sweep?:any schema_version:text
    queue {as_of_ms due later leased retrying next_retry_at_ms? next_24h:integers
      dead [{reason:text count example_receipt}] failures [{reason:text count example_receipt}]
      overdue_by_age [{from_ms count}] policy [{rule:text lines requests_per_day:number}] freshness?:any
      statuses [{status count last_seen_at_ms example_receipt}] sweeps [{id selection:text}]}
    """
}
