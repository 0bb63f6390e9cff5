import Dashboard
import Subscriptions

extension Report {
  /// Returns the main list as CSV: the JSON's keys as header, amounts in micros, one row per currency.
  func csv() throws -> String {
    if let figures = data.movement, report == .movement { return figures.csv }
    let figures = data
    return switch report {
    case .overview: figures.overviewCSV
    case .active: figures.csv(ofProducts: ["paid", "trial", "grace"], "mrr", figures[amounts: "mrr"])
    case .refunds: figures.csv(ofProducts: ["count"], "amount", figures[amounts: "amount"])
    case .churn: figures.churnCSV
    case .recovery: figures.recoveryCSV
    case .cohorts: figures.cohortsCSV
    case .offers: figures.offersCSV
    case .billingRetry:
      try CSVText.of(figures.unpaid, CSVNames.unpaid)
    case .upgrades:
      try CSVText.of(figures.upgrades, CSVNames.upgrades)
    case .events:
      try CSVText.of(figures.events, CSVNames.events)
    case .movement: ""
    }
  }
}

private func text(_ value: (some CustomStringConvertible)?) -> String { value.map(\.description) ?? "" }

/// Returns one row per currency, or a single row without a currency if there is no amount.
///
/// A row has the fields, the currency, each amount and, if `isConverted`, each converted amount.
private func rows(_ fields: [String], _ amounts: [Amounts], isConverted: Bool) -> [[String]] {
  let found = Set(amounts.flatMap(\.totals).map(\.currency)).sorted()
  let currencies: [CurrencyCode?] = found.isEmpty ? [nil] : found
  return currencies.map { currency in
    let converted = amounts.map { amount in text(currency.flatMap { amount.converted($0) }) }
    return fields + [text(currency)] + amounts.map { amount in text(currency.flatMap { amount[$0] }) }
      + (isConverted ? converted : [])
  }
}

private func table(
  _ header: [String], sums: (own: [String], converted: [String]), isConverted: Bool,
  _ parts: [(fields: [String], amounts: [Amounts])]
) -> String {
  var csv = CSVText(header + ["currency"] + sums.own + (isConverted ? sums.converted : []))
  for part in parts {
    for row in rows(part.fields, part.amounts, isConverted: isConverted) { csv.add(row) }
  }
  return csv.text
}

extension FigureValues {
  fileprivate var overviewCSV: String {
    let isConverted = self[amounts: "mrr"].reporting != nil
    let missing = isConverted ? [""] : []
    var csv = CSVText(["figure", "currency", "value"] + (isConverted ? ["converted_micros"] : []))
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
      for row in rows([name], [amounts], isConverted: isConverted) where !amounts.isEmpty { csv.add(row) }
    }
    return csv.text
  }

  fileprivate func csv(ofProducts counts: [String], _ amount: String, _ whole: Amounts) -> String {
    table(
      ["product_id"] + counts, sums: (["\(amount)_micros"], ["converted_micros"]),
      isConverted: whole.reporting != nil,
      self[parts: "by_product"].map { part in
        ([part.product.rawValue] + counts.map { text(part[$0]) }, [part[amounts: amount]])
      })
  }

  fileprivate var churnCSV: String {
    var csv = CSVText(["intent", "name", "paid", "trial"])
    for row in self[parts: "by_intent"] {
      csv.add([text(row[text: "intent"]), text(row[text: "name"]), text(row["paid"]), text(row["trial"])])
    }
    csv.add(["", "refunded", text(self["refunded.paid"]), text(self["refunded.trial"])])
    return csv.text
  }

  fileprivate var cohortsCSV: String {
    let cohorts = self[parts: "rows"]
    return table(
      ["month", "lines", "months", "retained", "of", "rate"],
      sums: (["mrr_micros", "mrr_of_micros"], ["converted_mrr_micros", "converted_mrr_of_micros"]),
      isConverted: cohorts.contains { $0[amounts: "mrr"].reporting != nil },
      cohorts.flatMap { cohort in
        cohort[parts: "retained"].map { cell in
          (
            [text(cohort[text: "month"]), text(cohort["lines"])]
              + ["months", "lines", "of"].map { text(cell[$0]) } + [text(cell[share: "rate"])],
            [cell[amounts: "mrr"], cell[amounts: "mrr_of"]]
          )
        }
      })
  }

  /// Outcomes of billing retry, curves, outcomes by grace, product, month and week, and lines still in retry.
  ///
  /// Counts of lines are in rows without a currency. Amounts are in separate rows, one for each currency, so
  /// that the counts of a column can be added up.
  fileprivate var recoveryCSV: String {
    let isConverted = self[amounts: "mrr.entered"].reporting != nil
    var csv = CSVText(
      ["figure", "days", "lines", "of", "currency", "mrr_micros"] + (isConverted ? ["converted_micros"] : []))
    func add(_ figure: String, _ days: Int?, _ lines: Int, _ of: Int? = nil, _ amounts: Amounts?) {
      csv.add([figure, text(days), text(lines), text(of), "", ""] + (isConverted ? [""] : []))
      guard let amounts, !amounts.isEmpty else { return }
      for row in rows([figure, text(days), "", ""], [amounts], isConverted: isConverted) { csv.add(row) }
    }
    let outcomes = ["entered", "recovered", "still_retrying", "lost"]
    for name in outcomes {
      add(name, nil, self[name], name == "entered" ? nil : self["entered"], self[amounts: "mrr.\(name)"])
    }
    for name in ["curve", "curve_before", "with_grace.curve", "without_grace.curve"] {
      for point in self[parts: name] {
        add(name, point["days"], point["recovered"], point["of"], point[amounts: "recovered_mrr"])
      }
    }
    func add(_ name: String, _ part: FigureValues, at object: String) {
      for outcome in outcomes {
        let of = outcome == "entered" ? nil : part["\(object).entered"]
        add("\(name).\(outcome)", nil, part["\(object).\(outcome)"], of, nil)
      }
    }
    for name in ["with_grace", "without_grace"] { add(name, self, at: "\(name).outcomes") }
    for (list, key) in [("by_product", "product_id"), ("by_month", "month"), ("by_week", "week")] {
      for part in self[parts: list] { add("\(list).\(text(part[text: key]))", part, at: "outcomes") }
    }
    for band in self[parts: "standing"] {
      add("standing", band["from_days"], band["lines"], nil, band[amounts: "mrr"])
    }
    return csv.text
  }

  fileprivate var offersCSV: String {
    let offers = self[parts: "offers"]
    let (names, sums) = (["kind", "offer", "product_id"], ["cost", "brought", "balance"])
    let counts = ["started", "running", "converted", "renewed", "lost", "unpriced"]
    return table(
      names + counts, sums: (sums.map { "\($0)_micros" }, sums.map { "\($0)_converted_micros" }),
      isConverted: offers.contains { $0[amounts: "cost"].reporting != nil },
      offers.map { offer in
        (
          names.map { text(offer[text: $0]) } + counts.map { text(offer[$0]) },
          sums.map { offer[amounts: $0] }
        )
      })
  }
}

extension FigureRows {
  /// Returns the rows with the JSON's keys as header; a row's figures are in one field, separated by spaces.
  func csv() throws -> String {
    try CSVText.of(rows.map(\.whole), CSVNames.rows)
  }
}

extension LedgerFigures {
  /// CSV of the total or, if a split was requested, of each part; a part's rows begin with the part's name.
  fileprivate var csv: String {
    let hasTotal = groups.contains { $0.total != nil }
    var csv = CSVText(
      (split.map { [$0.key] } ?? []) + ["figure", "currency", "value"]
        + (hasTotal ? ["converted_micros"] : []))
    let all = split == nil ? [([], groups)] : parts.map { ([text($0.part.value)], $0.groups) }
    for (part, groups) in all {
      for group in groups {
        for row in group.rows {
          for (place, figure) in group.figures.enumerated() where hasTotal || !figure.isOfConversion {
            let name = "\(group.name).\(figure.name)" + (row.currency == nil ? "" : "_micros")
            csv.add(
              part + [name, text(row.currency), text(row.values[place])]
                + (hasTotal ? [text(row.converted?[place])] : []))
          }
        }
      }
    }
    return csv.text
  }
}

extension FigureRow {
  /// Row with its amount in the reporting currency; the report's JSON has such amounts only in totals.
  fileprivate var whole: JSONObject { JSONObject(value: self, members: ["convertedMicros": convertedMicros]) }
}

private enum CSVNames {
  static let rows = [
    "figures", "environment", "original_transaction_id", "subscription_group_id", "app_user_id",
    "transaction_id", "product_id", "kind", "state", "at_ms", "amount_micros", "proceeds_micros", "currency",
    "why", "storefront", "price_source", "converted_micros",
  ]
  static let unpaid = [
    "original_transaction_id", "app_user_id", "product_id", "expired_at_ms", "days_in_retry",
    "retry_ends_at_ms", "storefront",
  ]
  static let upgrades = [
    "original_transaction_id", "transaction_id", "from_product_id", "to_product_id", "kind",
    "upgraded_at_ms", "confirmed", "price_micros", "currency", "prorated_refund_micros", "storefront",
  ]
  static let receipts = [
    "receipt_id", "app_user_id", "original_transaction_id", "other_subscriptions", "customer_id",
    "product_id", "last_checked_at_ms", "last_status", "next_due_at_ms", "result", "why",
  ]
  static let events = [
    "type", "apple_type", "reason", "original_transaction_id", "transaction_id", "product_id",
    "new_product_id", "effective_at_ms", "observed_at_ms", "observed_after_ms", "apple_subtype",
    "environment", "app_user_id", "period_type", "is_trial_conversion", "is_family_share",
    "effective_precision", "detection_lag_ms", "notification_type", "notified_at_ms", "price_micros",
    "currency", "source", "flow", "storefront",
  ]

  /// Returns the columns of an export: `names`, ISO 8601 instants, and the amounts at risk of unpaid lines.
  static func exported(_ names: [String]) -> [String] {
    names.flatMap { name in
      let isInstant = ["at_ms", "after_ms", "ends_at_ms"].contains(where: name.hasSuffix)
      return isInstant ? [String(name.dropLast(3)), name] : [name]
    } + (names == unpaid ? ["amount_micros", "currency", "converted_micros"] : [])
  }
}

extension TableExport {
  /// Data of the list's rows, and the names of their CSV columns, which are empty for figures and cells.
  var data: (json: any Encodable, names: [String]) {
    switch records {
    case .rows(let rows): (rows.map(\.whole), CSVNames.rows)
    case .unpaid(let rows): (rows, CSVNames.unpaid)
    case .upgrades(let rows): (rows, CSVNames.upgrades)
    case .events(let rows): (rows, CSVNames.events)
    case .receipts(let rows): (rows.map(\.json), CSVNames.receipts)
    case .reconciled(let lines): (lines.map(ReconciliationText.object), [])
    case .compared(let figures): (figures.map(ComparedReports.json), [])
    case .figures(let report, let list): (report.data[parts: list], [])
    case .cells: (rows.map { Dictionary(zip(columns, $0)) { first, _ in first } }, [])
    }
  }

  var csv: String {
    get throws {
      let data = data
      return switch records {
      case .figures(let report, _): try report.csv()
      case .reconciled(let lines): ReconciliationText.csv(lines)
      case .compared(let figures): ComparedReports.csv(figures, isExport: true)
      case .cells: rows.reduce(into: CSVText(columns)) { $0.add($1) }.text
      default: try CSVText.of(data.json, CSVNames.exported(data.names))
      }
    }
  }
}

extension ReceiptLine {
  fileprivate var json: JSONObject {
    JSONObject(members: [
      "receiptId": id, "appUserId": appUserID, "originalTransactionId": chain, "productId": product,
      "otherSubscriptions": otherChains, "customerId": customer?.rawValue, "lastCheckedAtMs": lastCheckedAt,
      "lastStatus": lastStatus, "nextDueAtMs": nextDue, "result": swept?.rawValue, "why": why,
    ])
  }
}
