import Subscriptions

extension Sample {
  static func rows(_ question: Question, _ figure: String) -> FigureRows {
    let products = [weekly, monthly, yearly]
    let rows = (0..<3).map { index in
      row(
        index, product: products[index],
        isLine: [.active, .billingRetry].contains(question.panel) || figure.hasPrefix("by_intent"), figure)
    }
    guard let horizon = DueHorizon.of(figure) else { return FigureRows(count: rows.count, rows: rows) }
    let due = rows.enumerated().map { place, row in
      var row = row
      row.at = now + Int64(place * horizon.days * 8 + 5) * Milliseconds.hour
      return row
    }
    var found = FigureRows(count: due.count, rows: due)
    found.forecast = due.reduce(into: RenewalForecast(in: nil)) { forecast, row in
      let kind = FactClass(
        .comingDue(horizon, isRenewing: true), .production, product: row.productID,
        currency: row.amount?.currency)
      forecast.add(Fact(row.at, kind, FactSum(count: 1, micros: row.amount?.micros ?? 0)), at: row.at)
    }
    return found
  }

  static func row(_ index: Int, product: ProductID, isLine: Bool, _ figure: String) -> FigureRow {
    let amount = price[product]?.0
    let why =
      isLine
      ? "active: standard period, expires_date in \(index + 2) d"
      : "cancellation_date \(index + 2) d ago, cancellation_reason = 0"
    return FigureRow(
      [figure], environment: .production,
      chain: OriginalTransactionID("\(310_000_831_360_853 + index * 9_311)"),
      group: SubscriptionGroupID("20411205"), user: index == 1 ? nil : AppUserID("user-\(4821 + index)"),
      transaction: TransactionID("\(310_001_655_120_400 + index * 9_313)"), product: product,
      kind: "standard",
      state: isLine ? .active : nil, at: now - Int64(index * 31 + 5) * Milliseconds.hour, amount: amount,
      proceeds: figure.hasPrefix("sales") ? amount.map { Commission.standard.proceeds(of: $0) } : nil,
      why: why)
  }

  static func manyRows(_ question: Question, _ figure: String) -> FigureRows {
    FigureRows(
      count: 28_192,
      rows: (0..<1000).map { row($0, product: [weekly, monthly, yearly][$0 % 3], isLine: false, figure) })
  }

  static func noRows(_ question: Question, _ figure: String) -> FigureRows { FigureRows(count: 0, rows: []) }
}
