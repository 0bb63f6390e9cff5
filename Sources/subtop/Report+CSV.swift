import Subscriptions

extension Report {
  /// The report's main list as CSV, with the keys of the JSON as its header; amounts are in micros, one row a currency.
  var csv: String {
    switch data {
    case .recovery(let figures): figures.csv
    case .cohorts(let figures): figures.csv
    case .offers(let figures): figures.csv
    case .declared(let figures): figures.csv
    case .values(let figures):
      switch report {
      case .overview: figures.overviewCSV
      case .active:
        figures.csv(ofProducts: ["paid", "trial", "grace"], "mrr", figures[amounts: "mrr"])
      case .refunds: figures.csv(ofProducts: ["count"], "amount", figures[amounts: "amount"])
      case .churn: figures.churnCSV
      case .billingRetry: figures.unpaid.csv
      case .upgrades: figures.upgrades.csv
      case .events: figures.events.csv
      case .movement, .recovery, .cohorts, .offers: ""
      }
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

/// What there is a row for where several amounts stand in one.
private func currencies(of amounts: Amounts...) -> [CurrencyCode?] {
  let found = Set(amounts.flatMap(\.totals).map(\.currency)).sorted()
  return found.isEmpty ? [nil] : found
}

/// The currency, what each comes to in it, and the same in the reporting currency where that is told.
private func fields(
  _ currency: CurrencyCode?, _ amounts: [Amounts], isConverted: Bool
) -> [String] {
  let converted = isConverted ? amounts.map { amount in text(currency.flatMap { amount.converted($0) }) } : []
  return [text(currency)] + amounts.map { amount in text(currency.flatMap { amount[$0] }) } + converted
}

/// The column in the reporting currency, where there is one.
private func converted(_ amounts: Amounts) -> [String] {
  amounts.reporting == nil ? [] : ["converted_micros"]
}

extension FigureValues {
  fileprivate var overviewCSV: String {
    let missing = self[amounts: "mrr"].reporting == nil ? [] : [""]
    var csv = CSVText(["figure", "currency", "value"] + converted(self[amounts: "mrr"]))
    for path in [
      "active_paid", "trial", "billing_retry", "grace", "churn_rate", "lost_paid", "refunds", "overdue",
      "renewing", "auto_renew_off", "auto_renew_unknown", "lost_trial", "trials.ended", "trials.converted",
      "arrivals.initial", "arrivals.renewal", "arrivals.recovery", "arrivals.reactivation", "cohort.rate",
    ] {
      let value =
        if case .count(let count)? = self[value: path] { text(count) } else { text(self[share: path]) }
      csv.add([path, "", value] + missing)
    }
    let due = self[parts: "due"].map { (path: "due.\($0["days"])", values: $0) }
    for (path, values) in due {
      for name in ["lines", "renewing"] { csv.add(["\(path).\(name)", "", text(values[name])] + missing) }
    }
    for (name, amounts) in [
      "mrr", "refund_amount", "prorated_refund", "sales.amount", "sales.proceeds",
    ].map({ ($0, self[amounts: $0]) })
      + self[parts: "sales.by_storefront"].compactMap({ part in
        part.storefront.map { ("sales.by_storefront.\($0).amount", part[amounts: "amount"]) }
      }) + due.map({ ("\($0).expected", $1[amounts: "expected"]) })
    {
      for row in rows([name], amounts) where !amounts.isEmpty { csv.add(row) }
    }
    return csv.text
  }

  /// A row for each product and currency.
  ///
  /// - Parameter whole: amount of all of them.
  fileprivate func csv(ofProducts counts: [String], _ amount: String, _ whole: Amounts) -> String {
    var csv = CSVText(["product_id"] + counts + ["currency", "\(amount)_micros"] + converted(whole))
    for part in self[parts: "by_product"] {
      let fields = [part.product.rawValue] + counts.map { text(part[$0]) }
      for row in rows(fields, part[amounts: amount]) { csv.add(row) }
    }
    return csv.text
  }

  fileprivate var churnCSV: String {
    var csv = CSVText(["intent", "name", "paid", "trial"])
    for row in self[parts: "by_intent"] {
      csv.add([text(row[text: "intent"]), text(row[text: "name"]), text(row["paid"]), text(row["trial"])])
    }
    csv.add(["", "refunded", text(self["refunded.paid"]), text(self["refunded.trial"])])
    return csv.text
  }
}

extension CohortFigures {
  /// A row for each cell and each currency of it.
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

extension [UnpaidEntry] {
  fileprivate var csv: String {
    CSVText.of(
      self,
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

extension [UpgradeEntry] {
  fileprivate var csv: String {
    CSVText.of(
      self,
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

extension [LineEvent] {
  fileprivate var csv: String {
    CSVText.of(
      self,
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
  /// The rows with the keys of the JSON as header; the figures of a row stand in one field, with spaces between.
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
  /// The whole; or instead of it, where parts were asked for, those, each row with its value of the split.
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
  /// What became of lines that came to billing retry, by part; then the curves and who is still there, by days. Lines stand in a row
  /// without a currency, and what they bring in a row for each below it, so that a column can be added up.
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
  /// A row for each offer of a product and currency.
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
