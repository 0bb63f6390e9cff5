import Subscriptions

extension Report {
  /// The report's main list as CSV, with the keys of the JSON as its header; amounts are in micros, one row a currency.
  var csv: String {
    switch data {
    case .overview(let figures): figures.csv
    case .active(let figures): figures.csv
    case .billingRetry(let figures): figures.csv
    case .churn(let figures): figures.csv
    case .refunds(let figures): figures.csv
    case .upgrades(let figures): figures.csv
    case .events(let figures): figures.csv
    case .declared(let figures): figures.csv
    }
  }
}

private func text(_ value: (some CustomStringConvertible)?) -> String { value.map(\.description) ?? "" }
private func text(_ instant: Instant?) -> String { text(instant?.rawValue) }

/// A row for each currency, or one without where there is no amount.
private func rows(_ fields: [String], _ amounts: Amounts) -> [[String]] {
  let isConverted = amounts.reporting != nil
  guard !amounts.isEmpty else { return [fields + ["", ""] + (isConverted ? [""] : [])] }
  return amounts.totals.map { total in
    fields + [total.currency.rawValue, String(total.micros)]
      + (isConverted ? [text(amounts.converted(total.currency))] : [])
  }
}

/// The column in the reporting currency, where there is one.
private func converted(_ amounts: Amounts) -> [String] {
  amounts.reporting == nil ? [] : ["converted_micros"]
}

extension OverviewFigures {
  fileprivate var csv: String {
    let isConverted = mrr.reporting != nil
    let missing = isConverted ? [""] : []
    var csv = CSVText(["figure", "currency", "value"] + converted(mrr))
    let counts: [(String, String)] =
      [
        ("active_paid", text(activePaid)), ("trial", text(trial)), ("billing_retry", text(billingRetry)),
        ("grace", text(grace)), ("churn_rate", text(churnRate)), ("lost_paid", text(lostPaid)),
        ("refunds", text(refunds)), ("overdue", text(overdue)), ("renewing", text(renewing)),
        ("auto_renew_off", text(autoRenewOff)), ("auto_renew_unknown", text(autoRenewUnknown)),
        ("lost_trial", text(lostTrial)), ("trials.ended", text(trials.ended)),
        ("trials.converted", text(trials.converted)), ("arrivals.initial", text(arrivals.initial)),
        ("arrivals.renewal", text(arrivals.renewal)), ("arrivals.recovery", text(arrivals.recovery)),
        ("arrivals.reactivation", text(arrivals.reactivation)), ("cohort.rate", text(cohort.rate)),
      ]
      + due.flatMap {
        [("due.\($0.days).lines", text($0.lines)), ("due.\($0.days).renewing", text($0.renewing))]
      }
    for (name, value) in counts { csv.add([name, "", value] + missing) }
    for (name, amounts) in [
      ("mrr", mrr), ("refund_amount", refundAmount), ("prorated_refund", proratedRefund),
      ("sales.amount", sales.amount), ("sales.proceeds", sales.proceeds),
    ] + sales.byStorefront.filter({ $0.storefront != nil }).map({ ("\($0.path).amount", $0.amount) })
      + due.map({ ("due.\($0.days).expected", $0.expected) })
    {
      for row in rows([name], amounts) where !amounts.isEmpty { csv.add(row) }
    }
    return csv.text
  }
}

extension ActiveFigures {
  fileprivate var csv: String {
    var csv = CSVText(["product_id", "paid", "trial", "grace", "currency", "mrr_micros"] + converted(mrr))
    for product in byProduct {
      let fields = [product.productId.rawValue, text(product.paid), text(product.trial), text(product.grace)]
      for row in rows(fields, product.mrr) { csv.add(row) }
    }
    return csv.text
  }
}

extension BillingRetryFigures {
  fileprivate var csv: String {
    var csv = CSVText([
      "original_transaction_id", "app_user_id", "product_id", "expired_at_ms", "days_in_retry",
      "retry_ends_at_ms", "storefront",
    ])
    for row in self.rows {
      csv.add([
        row.originalTransactionId.rawValue, text(row.appUserId), row.productId.rawValue,
        text(row.expiredAtMs),
        text(row.daysInRetry), text(row.retryEndsAtMs), text(row.storefront),
      ])
    }
    return csv.text
  }
}

extension ChurnFigures {
  fileprivate var csv: String {
    var csv = CSVText(["intent", "name", "paid", "trial"])
    for row in byIntent { csv.add([text(row.intent), row.name, text(row.paid), text(row.trial)]) }
    csv.add(["", "refunded", text(refunded.paid), text(refunded.trial)])
    return csv.text
  }
}

extension RefundFigures {
  fileprivate var csv: String {
    var csv = CSVText(["product_id", "count", "currency", "amount_micros"] + converted(amount))
    for product in byProduct {
      for row in rows([product.productId.rawValue, text(product.count)], product.amount) { csv.add(row) }
    }
    return csv.text
  }
}

extension UpgradeFigures {
  fileprivate var csv: String {
    var csv = CSVText([
      "original_transaction_id", "transaction_id", "from_product_id", "to_product_id", "kind",
      "upgraded_at_ms",
      "confirmed", "price_micros", "currency", "prorated_refund_micros", "storefront",
    ])
    for row in self.rows {
      csv.add([
        row.originalTransactionId.rawValue, row.transactionId.rawValue, row.fromProductId.rawValue,
        text(row.toProductId), row.kind.rawValue, text(row.upgradedAtMs), text(row.confirmed),
        text(row.priceMicros), text(row.currency), text(row.proratedRefundMicros), text(row.storefront),
      ])
    }
    return csv.text
  }
}

extension EventFigures {
  fileprivate var csv: String {
    var csv = CSVText([
      "type", "apple_type", "reason", "original_transaction_id", "transaction_id", "product_id",
      "new_product_id",
      "effective_at_ms", "observed_at_ms", "observed_after_ms", "apple_subtype", "environment", "app_user_id",
      "period_type", "is_trial_conversion", "is_family_share", "effective_precision", "detection_lag_ms",
      "notification_type", "notified_at_ms", "price_micros", "currency", "source", "flow", "storefront",
    ])
    for event in self.rows {
      csv.add([
        event.type.rawValue, event.appleName.type, event.reason ?? "", event.originalTransactionID.rawValue,
        text(event.transactionID), event.productID.rawValue, text(event.newProductID),
        text(event.effectiveAt),
        text(event.observedAt), text(event.observedAfter), event.appleName.subtype ?? "",
        event.environment.rawValue, text(event.appUserID), event.periodType ?? "",
        text(event.isTrialConversion),
        text(event.isFamilyShare), event.isExact ? "exact" : "interval", text(event.detectionLag),
        text(event.notificationType), text(event.notifiedAt), text(event.price?.micros),
        text(event.price?.currency), event.isToldByNotificationAlone ? "notification" : "validation",
        event.flow?.rawValue ?? "", text(event.storefront),
      ])
    }
    return csv.text
  }
}

extension FigureRows {
  /// The rows with the keys of the JSON as header; the figures of a row stand in one field, with spaces between.
  var csv: String {
    var csv = CSVText([
      "figures", "environment", "original_transaction_id", "subscription_group_id", "app_user_id",
      "transaction_id",
      "product_id", "kind", "state", "at_ms", "amount_micros", "proceeds_micros", "currency", "why",
      "storefront", "price_source",
    ])
    for row in rows {
      csv.add([
        row.figures.joined(separator: " "), row.environment.rawValue, row.originalTransactionID.rawValue,
        text(row.subscriptionGroupID), text(row.appUserID), row.transactionID.rawValue,
        row.productID.rawValue,
        row.kind, row.state?.rawValue ?? "", text(row.at), text(row.amount?.micros),
        text(row.proceeds?.micros),
        text(row.amount?.currency), row.why, text(row.storefront), row.priceSource?.rawValue ?? "",
      ])
    }
    return csv.text
  }
}

extension LedgerFigures {
  fileprivate var csv: String {
    let total = groups.lazy.compactMap(\.total).first
    var csv = CSVText(
      ["figure", "currency", "value"] + (total == nil ? [] : ["converted_micros"]))
    for group in groups {
      for row in group.rows {
        for (place, figure) in group.figures.enumerated() {
          let name = "\(group.name).\(figure.name)" + (row.currency == nil ? "" : "_micros")
          csv.add(
            [name, text(row.currency), text(row.values[place])]
              + (total == nil ? [] : [text(row.converted?[place])]))
        }
      }
    }
    return csv.text
  }
}
