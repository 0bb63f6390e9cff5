import Subscriptions

extension Shape {
  /// What `report PANEL --format json` prints.
  static func report(_ panel: Panel) -> Shape {
    .object([
      "report": .text, "as_of_ms": .integer,
      "window": .object(["days": .integer, "from_ms": .integer, "to_ms": .integer]),
      "scope": .object(["environment": .text, "ownership": .text]),
      "trust": .object([
        "receipts": .integer, "lines": .integer, "fresh_24h": .known(.number), "overdue": .integer,
        "unpriced_transactions": .integer, "excluded_sandbox": .integer, "excluded_family_shared": .integer,
      ]),
      "data": data(panel),
      "trend": .object([
        "series": .list(
          .object([
            "figure": .text, "currency": .known(.text), "before": .known(.integer),
            "values": .list(.known(.integer)),
          ]))
      ]),
    ])
  }

  private static func data(_ panel: Panel) -> Shape {
    switch panel {
    case .active: active
    case .billingRetry: billingRetry
    case .churn: churn
    case .refunds: refunds
    case .upgrades: upgrades
    case .overview: overview
    case .events: events
    case .movement: movement
    case .recovery: recovery
    case .cohorts: cohorts
    case .offers: offers
    }
  }

  private static let movement = Shape.object([
    "subscribers": numbers(
      "start", "new", "converted", "recovered", "returned", "resubscribed", "to_trial", "to_retry",
      "to_overdue",
      "to_unattributed", "lost", "end"),
    "lost_by_reason": numbers(
      "cancelled", "billing_error", "price_increase", "unavailable", "refunded", "other", "unknown"),
    "trials": numbers(
      "start", "trial_started", "to_trial", "converted", "trial_to_retry", "trial_to_overdue",
      "trial_to_unattributed", "trial_lost", "end"),
    "billing_retry": numbers(
      "start", "to_retry", "trial_to_retry", "recovered", "converted", "trial_started", "lost", "trial_lost",
      "end"),
    "mrr": .list(
      .object(
        Dictionary(
          uniqueKeysWithValues: [
            "start", "new", "converted", "recovered", "returned", "resubscribed", "to_trial", "to_retry",
            "to_overdue", "to_unattributed", "lost", "expansion", "contraction", "repriced", "end",
          ].map { ("\($0)_micros", Shape.integer) } + [("currency", .text)]))),
  ])

  private static let cohorts = Shape.object([
    "rows": .list(
      .object([
        "month": .text, "lines": .integer, "mrr": amounts,
        "retained": .list(
          .object([
            "months": .integer, "lines": .integer, "of": .integer, "rate": .known(.number), "mrr": amounts,
            "mrr_of": amounts,
          ])),
      ]))
  ])

  private static let outcomes = numbers("entered", "recovered", "still_retrying", "lost")
  private static let curve = Shape.list(
    .object([
      "days": .integer, "recovered": .integer, "of": .integer, "rate": .known(.number),
      "recovered_mrr": amounts, "of_mrr": amounts,
    ]))
  private static let part = Shape.object(["outcomes": outcomes, "curve": curve])

  private static let recovery = Shape.object([
    "entered": .integer, "recovered": .integer, "still_retrying": .integer, "lost": .integer,
    "mrr": .object([
      "entered": amounts, "recovered": amounts, "still_retrying": amounts, "lost": amounts,
    ]),
    "curve": curve, "curve_before": curve, "with_grace": part, "without_grace": part,
    "by_product": .list(.object(["product_id": .text, "outcomes": outcomes])),
    "by_month": .list(.object(["month": .text, "outcomes": outcomes])),
    "by_week": .list(.object(["week": .text, "outcomes": outcomes])),
    "standing": .list(
      .object(["from_days": .integer, "to_days": .known(.integer), "lines": .integer, "mrr": amounts])),
  ])

  private static let offers = Shape.object([
    "offers": .list(
      .object([
        "kind": .text, "offer": .known(.text), "product_id": .text, "started": .integer, "running": .integer,
        "converted": .integer, "renewed": .integer, "lost": .integer, "cost": amounts, "brought": amounts,
        "unpriced": .integer, "balance": amounts,
      ])),
    "price_increases": numbers("asked", "agreed", "running", "lapsed", "pending", "lost"),
    "pending": .list(
      .object([
        "original_transaction_id": .text, "app_user_id": .known(.text), "product_id": .text,
        "expires_ms": .integer, "days_left": .integer,
      ])),
    "opt_outs": .object([
      "turned_off": .integer, "turned_on_again": .integer, "lapsed": .integer, "running": .integer,
      "at_stake": .integer, "at_stake_mrr": amounts,
    ]),
  ])

  private static func numbers(_ names: String...) -> Shape {
    .object(Dictionary(uniqueKeysWithValues: names.map { ($0, .integer) }))
  }

  private static let active = Shape.object([
    "paid": .integer, "trial": .integer, "trial_auto_renew_off": .integer,
    "by_kind": .object(["standard": .integer, "intro": .integer, "promo": .integer, "code": .integer]),
    "renewing": .integer, "auto_renew_off": .integer, "auto_renew_unknown": .integer, "grace": .integer,
    "overdue": .integer, "mrr": amounts,
    "by_product": .list(
      .object(["product_id": .text, "paid": .integer, "trial": .integer, "grace": .integer, "mrr": amounts])),
    "by_storefront": .list(
      .object([
        "storefront": .known(.text), "paid": .integer, "trial": .integer, "grace": .integer, "mrr": amounts,
      ])),
  ])

  private static let billingRetry = Shape.object([
    "lines": .integer, "users": .integer, "grace": .object(["lines": .integer, "users": .integer]),
    "at_risk_mrr": .object(["billing_retry": amounts, "grace": amounts]),
    "by_product": .list(.object(["product_id": .text, "lines": .integer])),
    "rows": .list(
      .object([
        "original_transaction_id": .text, "app_user_id": .known(.text), "product_id": .text,
        "expired_at_ms": .integer, "days_in_retry": .integer, "retry_ends_at_ms": .integer,
      ])),
  ])

  private static let churn = Shape.object([
    "by_intent": .list(
      .object(["intent": .known(.text), "name": .text, "paid": .integer, "trial": .integer])),
    "refunded": .object(["paid": .integer, "trial": .integer]), "lost_paid": .integer, "lost_trial": .integer,
    "voluntary": .integer, "involuntary": .integer, "base_at_start": .integer,
    "churn_rate": .known(.number),
    "renewals": .list(
      .object([
        "period": .known(.text), "due": .integer, "renewed": .integer, "recovered": .integer,
        "pending": .integer,
        "lost": .integer,
      ])),
    "trials": .object(["ended": .integer, "converted": .integer, "converted_late": .integer]),
  ])

  private static let refunds = Shape.object([
    "count": .integer, "by_reason": .object(["app_issue": .integer, "other": .integer, "unknown": .integer]),
    "amount": amounts, "unpriced": .integer, "one_time": .integer,
    "cohort": .object(["paid_transactions": .integer, "refunded": .integer, "rate": .known(.number)]),
    "by_product": .list(.object(["product_id": .text, "count": .integer, "amount": amounts])),
  ])

  private static let upgrades = Shape.object([
    "immediate": .object(["upgrade": .integer, "crossgrade": .integer, "unranked": .integer]),
    "prorated_refund": amounts, "unpriced": .integer,
    "at_renewal": .object(["downgrade": .integer, "crossgrade": .integer, "unranked": .integer]),
    "pending": .integer,
    "rows": .list(
      .object([
        "original_transaction_id": .text, "transaction_id": .text, "from_product_id": .text,
        "to_product_id": .known(.text), "kind": .text, "upgraded_at_ms": .integer,
        "price_micros": .known(.integer), "currency": .known(.text),
        "prorated_refund_micros": .known(.integer),
      ])),
  ])

  private static let overview = Shape.object([
    "active_paid": .integer, "trial": .integer, "mrr": amounts, "billing_retry": .integer, "grace": .integer,
    "churn_rate": .known(.number), "lost_paid": .integer, "refunds": .integer, "refund_amount": amounts,
    "prorated_refund": amounts, "overdue": .integer,
    "movement": .object(["subscribers": numbers("start", "new", "lost", "end")]),
    "movement_by_product": .list(
      .object([
        "product_id": .text, "start": .integer, "end": .integer, "lost": .integer, "mrr_change": amounts,
      ])),
    "revenue_change": .known(
      .object([
        "currency": .text, "lines": .integer, "currencies": .integer, "start_micros": .integer,
        "end_micros": .integer,
        "movers": .list(.object(["figure": .text, "lines": .integer, "micros": .integer])),
      ])),
  ])

  private static let events = Shape.object([
    "rows": .list(
      .object([
        "type": .text, "apple_type": .known(.text), "flow": .known(.text), "original_transaction_id": .text,
        "transaction_id": .known(.text), "product_id": .text, "effective_at_ms": .integer,
        "observed_at_ms": .integer,
      ]))
  ])
}
