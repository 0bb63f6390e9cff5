extension Shape {
  private static let transaction = Shape.object([
    "transaction_id": .text, "product_id": .text, "kind": .text, "purchase_ms": .integer,
    "expires_ms": .known(.integer), "effective_end_ms": .known(.integer), "cancellation_ms": .known(.integer),
    "refunded": .flag, "upgraded": .flag, "price_micros": .known(.integer), "currency": .known(.text),
    "prorated_refund_micros": .known(.integer),
  ])

  /// What `chain ID --format json` prints for one chain.
  static let chain = Shape.object([
    "original_transaction_id": .text, "app_user_ids": .list(.text),
    "validations": .list(.object(["at_ms": .integer, "has_renewal_infos": .flag])),
    "receipts": .list(
      .object([
        "id": .integer, "environment": .known(.text), "last_validated_at_ms": .known(.integer),
        "last_status": .known(.integer), "next_due_at_ms": .known(.integer),
      ])),
    "lines": .list(
      .object([
        "subscription_group_id": .known(.text), "state": .text, "why": .text, "access_until_ms": .integer,
        "product_id": .text, "auto_renew": .known(.flag), "expiration_intent": .known(.text),
        "price_consent_pending": .flag, "change_pending": .flag, "transactions": .list(transaction),
        "next_renewal": .known(.object(["renewal_date_ms": .integer, "price_micros": .known(.integer)])),
        "renewal_infos": .list(
          .object(["observed_after_ms": .known(.integer), "observed_at_ms": .integer])),
      ])),
    "one_time": .list(transaction),
  ])

  /// What `sweep --format json` ends with.
  static let sweep = Shape.object([
    "picked": .integer, "validated": .integer, "unchanged": .integer, "changed": .integer,
    "new_transactions": .integer, "rerouted": .integer, "retry_later": .integer, "rejected": .integer,
    "by_status": .named(.integer), "http": .named(.integer), "transport_errors": .integer,
    "seconds": .number, "receipts_per_second": .number, "stopped": .known(.text),
    "failures": .list(.object(["reason": .text, "count": .integer])),
  ])

  /// What `doctor --format json` prints.
  static let doctor = Shape.object([
    "version": .text, "problems": .integer, "warnings": .integer,
    "checks": .list(.object(["check": .text, "result": .text, "says": .text])),
  ])

  /// What `status --format json` prints.
  static let status = Shape.object([
    "as_of_ms": .integer, "of_now": .list(.text),
    "receipts": .integer, "lines": .integer, "transactions": .integer, "due_now": .integer,
    "overdue_lines": .integer, "fresh_24h": .known(.number), "dead": .integer, "inbox": .integer,
    "prices": .object(["signed": .integer, "catalogue": .integer, "unpriced": .integer]),
    "last_sweep": .known(.object([:])), "schema_version": .text,
  ])
}
