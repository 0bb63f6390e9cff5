import Subscriptions

extension Report {
  /// Main list of the report as CSV, with the keys of the JSON as header. Amounts are in micros, one row per
  /// currency.
  var csv: String {
    switch data {
    case .overview(let figures): figures.csv
    case .active(let figures): figures.csv
    case .billingRetry(let figures): figures.csv
    case .recovery(let figures): figures.csv
    case .cohorts(let figures): figures.csv
    case .offers(let figures): figures.csv
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

/// Returns one row per currency, or one without currency if there is no amount.
private func rows(_ fields: [String], _ amounts: Amounts) -> [[String]] {
  let isConverted = amounts.reporting != nil
  guard !amounts.isEmpty else { return [fields + ["", ""] + (isConverted ? [""] : [])] }
  return amounts.totals.map { total in
    fields + [total.currency.rawValue, String(total.micros)]
      + (isConverted ? [text(amounts.converted(total.currency))] : [])
  }
}

/// Returns the currencies that need a row for any of several amounts.
private func currencies(of amounts: Amounts...) -> [CurrencyCode?] {
  let found = Set(amounts.flatMap(\.totals).map(\.currency)).sorted()
  return found.isEmpty ? [nil] : found
}

/// Returns the fields of one currency: the currency, each amount, and each amount in the reporting currency.
private func fields(
  _ currency: CurrencyCode?, _ amounts: [Amounts], isConverted: Bool
) -> [String] {
  let converted = isConverted ? amounts.map { amount in text(currency.flatMap { amount.converted($0) }) } : []
  return [text(currency)] + amounts.map { amount in text(currency.flatMap { amount[$0] }) } + converted
}

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

extension CohortFigures {
  /// One row for each cell and currency.
  fileprivate var csv: String {
    let isConverted = self.rows.contains { $0.mrr.reporting != nil }
    var csv = CSVText(
      ["month", "lines", "months", "retained", "of", "rate", "currency", "mrr_micros", "mrr_of_micros"]
        + (isConverted ? ["converted_mrr_micros", "converted_mrr_of_micros"] : []))
    for cohort in self.rows {
      for cell in cohort.retained {
        let told = [
          text(cohort.month), text(cohort.lines), text(cell.months), text(cell.lines), text(cell.of),
          text(cell.rate),
        ]
        for currency in currencies(of: cell.mrr, cell.mrrOf) {
          csv.add(told + fields(currency, [cell.mrr, cell.mrrOf], isConverted: isConverted))
        }
      }
    }
    return csv.text
  }
}

extension BillingRetryFigures {
  fileprivate var csv: String {
    CSVText.of(
      self.rows,
      [
        ("original_transaction_id", { $0.originalTransactionId.rawValue }),
        ("app_user_id", { text($0.appUserId) }),
        ("product_id", { $0.productId.rawValue }),
        ("expired_at_ms", { text($0.expiredAtMs) }),
        ("days_in_retry", { text($0.daysInRetry) }),
        ("retry_ends_at_ms", { text($0.retryEndsAtMs) }),
        ("storefront", { text($0.storefront) }),
      ])
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
    CSVText.of(
      self.rows,
      [
        ("original_transaction_id", { $0.originalTransactionId.rawValue }),
        ("transaction_id", { $0.transactionId.rawValue }),
        ("from_product_id", { $0.fromProductId.rawValue }),
        ("to_product_id", { text($0.toProductId) }),
        ("kind", { $0.kind.rawValue }),
        ("upgraded_at_ms", { text($0.upgradedAtMs) }),
        ("confirmed", { text($0.confirmed) }),
        ("price_micros", { text($0.priceMicros) }),
        ("currency", { text($0.currency) }),
        ("prorated_refund_micros", { text($0.proratedRefundMicros) }),
        ("storefront", { text($0.storefront) }),
      ])
  }
}

extension EventFigures {
  fileprivate var csv: String {
    CSVText.of(
      self.rows,
      [
        ("type", { $0.type.rawValue }),
        ("apple_type", { $0.appleName.type }),
        ("reason", { $0.reportedReason ?? "" }),
        ("original_transaction_id", { $0.originalTransactionID.rawValue }),
        ("transaction_id", { text($0.transactionID) }),
        ("product_id", { $0.productID.rawValue }),
        ("new_product_id", { text($0.newProductID) }),
        ("effective_at_ms", { text($0.effectiveAt) }),
        ("observed_at_ms", { text($0.observedAt) }),
        ("observed_after_ms", { text($0.observedAfter) }),
        ("apple_subtype", { $0.appleName.subtype ?? "" }),
        ("environment", { $0.environment.rawValue }),
        ("app_user_id", { text($0.appUserID) }),
        ("period_type", { $0.periodType ?? "" }),
        ("is_trial_conversion", { text($0.isTrialConversion) }),
        ("is_family_share", { text($0.isFamilyShare) }),
        ("effective_precision", { $0.isExact ? "exact" : "interval" }),
        ("detection_lag_ms", { text($0.detectionLag) }),
        ("notification_type", { text($0.notificationType) }),
        ("notified_at_ms", { text($0.notifiedAt) }),
        ("price_micros", { text($0.price?.micros) }),
        ("currency", { text($0.price?.currency) }),
        ("source", { $0.isToldByNotificationAlone ? "notification" : "validation" }),
        ("flow", { $0.flow?.rawValue ?? "" }),
        ("storefront", { text($0.storefront) }),
      ])
  }
}

extension FigureRows {
  /// Rows with the keys of the JSON as header. The figures of a row are in one field, separated by spaces.
  var csv: String {
    CSVText.of(
      rows,
      [
        ("figures", { $0.figures.joined(separator: " ") }),
        ("environment", { $0.environment.rawValue }),
        ("original_transaction_id", { $0.originalTransactionID.rawValue }),
        ("subscription_group_id", { text($0.subscriptionGroupID) }),
        ("app_user_id", { text($0.appUserID) }),
        ("transaction_id", { $0.transactionID.rawValue }),
        ("product_id", { $0.productID.rawValue }),
        ("kind", { $0.kind }),
        ("state", { $0.state?.rawValue ?? "" }),
        ("at_ms", { text($0.at) }),
        ("amount_micros", { text($0.amount?.micros) }),
        ("proceeds_micros", { text($0.proceeds?.micros) }),
        ("currency", { text($0.amount?.currency) }),
        ("why", { $0.why }),
        ("storefront", { text($0.storefront) }),
        ("price_source", { $0.priceSource?.rawValue ?? "" }),
      ])
  }
}

extension LedgerFigures {
  /// The total, or if a split was requested, its parts, each row with its value of the split.
  fileprivate var csv: String {
    let hasTotal = groups.contains { $0.total != nil }
    var csv = CSVText(
      (split.map { [$0.key] } ?? []) + ["figure", "currency", "value"]
        + (hasTotal ? ["converted_micros"] : []))
    guard split != nil else {
      for group in groups { group.add(to: &csv, after: [], hasTotal: hasTotal) }
      return csv.text
    }
    for part in parts {
      for group in part.groups { group.add(to: &csv, after: [text(part.part.value)], hasTotal: hasTotal) }
    }
    return csv.text
  }
}

extension RecoveryFigures {
  /// Outcomes of lines that entered billing retry, by part; then the curves, and the lines still in retry, by
  /// days. Counts of lines are in a row without currency, and amounts in further rows per currency, so that
  /// columns can be added up.
  fileprivate var csv: String {
    let isConverted = mrr.entered.reporting != nil
    var csv = CSVText(["figure", "days", "lines", "of", "currency", "mrr_micros"] + converted(mrr.entered))
    func add(_ figure: String, _ days: Int?, _ lines: Int, _ of: Int? = nil, _ amounts: Amounts?) {
      csv.add([figure, text(days), text(lines), text(of), "", ""] + (isConverted ? [""] : []))
      guard let amounts, !amounts.isEmpty else { return }
      for row in rows([figure, text(days), "", ""], amounts) { csv.add(row) }
    }
    add("entered", nil, entered, nil, mrr.entered)
    add("recovered", nil, recovered, entered, mrr.recovered)
    add("still_retrying", nil, stillRetrying, entered, mrr.stillRetrying)
    add("lost", nil, lost, entered, mrr.lost)
    for (name, curve) in [
      ("curve", curve), ("curve_before", curveBefore), ("with_grace.curve", withGrace.curve),
      ("without_grace.curve", withoutGrace.curve),
    ] {
      for point in curve { add(name, point.days, point.recovered, point.of, point.recoveredMrr) }
    }
    let parts: [(String, Outcomes)] =
      [("with_grace", withGrace.outcomes), ("without_grace", withoutGrace.outcomes)]
      + byProduct.map { ("by_product.\($0.productId)", $0.outcomes) }
      + byMonth.map { ("by_month.\($0.month)", $0.outcomes) }
      + byWeek.map { ("by_week.\($0.week)", $0.outcomes) }
    for (name, outcomes) in parts {
      add("\(name).entered", nil, outcomes.entered, nil, nil)
      add("\(name).recovered", nil, outcomes.recovered, outcomes.entered, nil)
      add("\(name).still_retrying", nil, outcomes.stillRetrying, outcomes.entered, nil)
      add("\(name).lost", nil, outcomes.lost, outcomes.entered, nil)
    }
    for band in standing { add("standing", band.fromDays, band.lines, nil, band.mrr) }
    return csv.text
  }
}

extension OfferFigures {
  /// One row for each offer, product and currency.
  fileprivate var csv: String {
    let isConverted = offers.contains { $0.cost.reporting != nil }
    var csv = CSVText(
      [
        "kind", "offer", "product_id", "started", "running", "converted", "renewed", "lost", "unpriced",
        "currency", "cost_micros", "brought_micros", "balance_micros",
      ]
        + (isConverted
          ? ["cost_converted_micros", "brought_converted_micros", "balance_converted_micros"] : []))
    for offer in offers {
      let told =
        [offer.kind.rawValue, text(offer.offer), offer.productId.rawValue]
        + [offer.started, offer.running, offer.converted, offer.renewed, offer.lost, offer.unpriced].map {
          String($0)
        }
      for currency in currencies(of: offer.cost, offer.brought) {
        let amounts = [offer.cost, offer.brought, offer.balance]
        csv.add(told + fields(currency, amounts, isConverted: isConverted))
      }
    }
    return csv.text
  }
}

extension EvaluatedGroup {
  fileprivate func add(to csv: inout CSVText, after fields: [String], hasTotal: Bool) {
    for row in rows {
      for (place, figure) in figures.enumerated() where hasTotal || !figure.isOfConversion {
        let name = "\(self.name).\(figure.name)" + (row.currency == nil ? "" : "_micros")
        csv.add(
          fields + [name, text(row.currency), text(row.values[place])]
            + (hasTotal ? [text(row.converted?[place])] : []))
      }
    }
  }
}
