extension Row {
  /// The row as a period that came due, as a trial that ended, and as something bought.
  func churnRows(of judged: JudgedLine, _ question: Question, catalog: Catalog) -> [FigureRow] {
    var rows: [FigureRow] = []
    if question.window.contains(purchase) {
      rows.append(
        FigureRow(
          ["arrivals.\(arrival.rawValue)"], self, of: judged.line, at: purchase,
          why: FigureReason.arrival(arrival, purchase: purchase, at: question.at)))
    }
    switch outcome {
    case .renewed?, .recovered?, .unrenewed?:
      guard question.window.contains(expires) else { break }
      let period = "renewals.\(period(catalog)?.iso8601 ?? "unknown")"
      let result = renewal(in: judged)
      rows.append(
        FigureRow(
          ["\(period).due", "\(period).\(result)"], self, of: judged.line, at: expires,
          why: FigureReason.due(result, expires: expires, at: question.at)))
    case .converted?, .convertedLate?, .unconverted?:
      guard question.window.contains(effectiveEnd), let outcome else { break }
      let result: [String] =
        switch outcome {
        case .converted: ["trials.converted"]
        case .convertedLate: ["trials.converted_late"]
        default: []
        }
      rows.append(
        FigureRow(
          ["trials.ended"] + result, self, of: judged.line, at: effectiveEnd,
          why: FigureReason.trialEnd(outcome, end: effectiveEnd, at: question.at)))
    case nil: break
    }
    return rows
  }

  private func renewal(in judged: JudgedLine) -> String {
    switch outcome {
    case .renewed?: "renewed"
    case .recovered?: "recovered"
    default: judged.mayYetPay(for: self) ? "pending" : "lost"
    }
  }

  /// The row as a refund issued, and as a purchase of the window's cohort.
  func refundRows(of line: Line, _ question: Question) -> [FigureRow] {
    var rows: [FigureRow] = []
    if isRefund, let refundedAt, question.window.contains(refundedAt) {
      let reason =
        switch transaction.cancellationReason {
        case "1": "app_issue"
        case "0": "other"
        default: "unknown"
        }
      rows.append(
        FigureRow(
          ["count", "by_reason.\(reason)", price == nil ? "unpriced" : "amount"], self, of: line,
          at: refundedAt,
          amount: price?.amount,
          why: FigureReason.refund(
            cancelled: refundedAt, reason: transaction.cancellationReason, at: question.at)))
    }
    if isSold(in: question) {
      let cameBack = isRefund && isDead(at: question.at)
      rows.append(
        FigureRow(
          ["cohort.paid_transactions"] + (cameBack ? ["cohort.refunded"] : []), self, of: line, at: purchase,
          why: FigureReason.bought(purchase, refunded: isRefund ? refundedAt : nil, at: question.at)))
    }
    return rows
  }

  /// The row as one upgraded away, and as a change at a renewal.
  func upgradeRows(of line: Line, _ question: Question) -> [FigureRow] {
    var rows: [FigureRow] = []
    if let upgrade, let row = upgradeRow(upgrade, of: line, question) { rows.append(row) }
    if let change, question.window.contains(purchase) {
      let direction = change.direction == .upgrade ? ChangeDirection.unranked : change.direction
      rows.append(
        FigureRow(
          ["at_renewal.\(direction.rawValue)"], self, of: line, at: purchase,
          why: FigureReason.change(from: change.from, at: question.at, purchase: purchase)))
    }
    return rows
  }

  private func upgradeRow(_ upgrade: Upgrade, of line: Line, _ question: Question) -> FigureRow? {
    let proration = proration(upgrade)
    let why = FigureReason.upgrade(
      instant: upgrade.instant, cancelled: transaction.cancellationDate, kind: kind, proration: proration,
      at: question.at)
    guard let instant = upgrade.instant else {
      return question.window.contains(purchase)
        ? FigureRow(["undated"], self, of: line, at: purchase, why: why) : nil
    }
    guard question.window.contains(instant) else { return nil }
    let direction = upgrade.direction == .downgrade ? ChangeDirection.unranked : upgrade.direction
    var counted = FigureRow(
      [
        "immediate.\(direction.rawValue)", upgrade.isConfirmed ? "confirmed" : "estimated",
        upgrade.proratedRefund == nil ? "unpriced" : "prorated_refund",
      ], self, of: line, at: instant, amount: upgrade.proratedRefund, why: why)
    counted.proration = proration
    return counted
  }

  /// Nil where there is nothing to give back, or nobody knows it.
  private func proration(_ upgrade: Upgrade) -> Proration? {
    guard kind != .trial, let price, let instant = upgrade.instant else { return nil }
    return Proration(price: price.amount, purchase: purchase, expires: expires, upgrade: instant)
  }

  func saleRow(of line: Line, _ question: Question) -> FigureRow {
    let isSmallBusiness = question.smallBusinessProgram.contains(line.bundleID, at: purchase)
    var figures = ["sales.transactions"]
    figures += price == nil ? ["sales.unpriced"] : ["sales.amount", "sales.proceeds"]
    if isPastFirstYear {
      figures.append("sales.after_one_year")
    } else if isSmallBusiness {
      figures.append("sales.small_business")
    }
    let commission = commission(app: line.bundleID, program: question.smallBusinessProgram)
    return FigureRow(
      figures, self, of: line, at: purchase, amount: price?.amount,
      proceeds: price.flatMap { price in commission.map { $0.proceeds(of: price.amount) } },
      why: FigureReason.sale(
        purchase: purchase, isPastFirstYear: isPastFirstYear, isSmallBusiness: isSmallBusiness,
        at: question.at))
  }
}
