extension [JudgedLine] {
  func activeRows(_ question: Question) -> [FigureRow] {
    filter { question.includes($0.product) }.compactMap { judged in
      let amount = judged.isPaid ? judged.verdict.current.monthly : nil
      switch judged.state {
      case .trial: return FigureRow(["trial"], judged)
      case .overdue: return FigureRow(["overdue"], judged)
      case .grace: return FigureRow(["paid", "grace"] + amount.names("mrr"), judged, amount: amount)
      case .active:
        let renewing =
          switch judged.verdict.autoRenew {
          case true?: "renewing"
          case false?: "auto_renew_off"
          case nil: "auto_renew_unknown"
          }
        let kind = judged.verdict.current.kind.rawValue
        return FigureRow(
          ["paid", "by_kind.\(kind)", renewing] + amount.names("mrr"), judged, amount: amount)
      case .billingRetry, .unattributed, .revoked, .expired: return nil
      }
    }
  }

  func billingRetryRows(_ question: Question) -> [FigureRow] {
    filter { question.includes($0.product) }.compactMap { judged in
      let amount = judged.verdict.current.monthly
      switch judged.state {
      case .billingRetry:
        return FigureRow(["lines"] + amount.names("at_risk_mrr.billing_retry"), judged, amount: amount)
      case .grace:
        return FigureRow(["grace.lines"] + amount.names("at_risk_mrr.grace"), judged, amount: amount)
      default: return nil
      }
    }
  }

  func churnRows(_ question: Question, catalog: Catalog) -> [FigureRow] {
    compactMap { $0.churnRow(question) } + compactMap { $0.startRow(question) }
      + flatMap { judged in
        judged.line.rows.filter { question.includes($0.productID) }
          .flatMap { $0.churnRows(of: judged, question, catalog: catalog) }
      }
  }

  func refundRows(_ question: Question) -> [FigureRow] {
    flatMap { judged in
      judged.line.rows.filter { question.includes($0.productID) }
        .flatMap { $0.refundRows(of: judged.line, question) }
    }
  }

  func upgradeRows(_ question: Question) -> [FigureRow] {
    let pending = filter {
      $0.verdict.changePending && question.includes($0.product)
        && [.trial, .active, .grace, .billingRetry].contains($0.state)
    }
    return pending.map { FigureRow(["pending"], $0) }
      + flatMap { judged in
        judged.line.rows.filter { question.includes($0.productID) }
          .flatMap { $0.upgradeRows(of: judged.line, question) }
      }
  }

  fileprivate func salesRows(_ question: Question) -> [FigureRow] {
    flatMap { judged in
      judged.line.rows.filter { $0.isSold(in: question) }.map { $0.saleRow(of: judged.line, question) }
    }
  }
}

extension OverviewFigures {
  /// The rows of the other panels that the headline figures are of, under the names that they have here.
  static func rows(_ judged: [JudgedLine], _ question: Question, catalog: Catalog) -> [FigureRow] {
    renamed(
      judged.activeRows(question),
      [
        "paid": "active_paid", "trial": "trial", "grace": "grace", "overdue": "overdue", "mrr": "mrr",
        "renewing": "renewing", "auto_renew_off": "auto_renew_off",
        "auto_renew_unknown": "auto_renew_unknown",
      ])
      + renamed(
        judged.billingRetryRows(question),
        [
          "lines": "billing_retry", "at_risk_mrr.billing_retry": "at_risk_mrr.billing_retry",
          "at_risk_mrr.grace": "at_risk_mrr.grace",
        ])
      + judged.compactMap { $0.lostRow(question) }
      + renamed(judged.compactMap { $0.startRow(question) }, ["churn_rate": "churn_rate"])
      + judged.flatMap { judged in
        judged.line.rows.filter { question.includes($0.productID) }
          .flatMap { $0.churnRows(of: judged, question, catalog: catalog) }
      }
      + judged.compactMap { $0.dueRow(question, catalog: catalog) }
      + renamed(
        judged.refundRows(question),
        [
          "count": "refunds", "amount": "refund_amount",
          "cohort.paid_transactions": "cohort.paid_transactions",
          "cohort.refunded": "cohort.refunded",
        ])
      + renamed(judged.upgradeRows(question), ["prorated_refund": "prorated_refund"])
      + judged.salesRows(question)
  }

  private static func renamed(_ rows: [FigureRow], _ names: [String: String]) -> [FigureRow] {
    rows.compactMap { row in
      var row = row
      row.figures = row.figures.compactMap { names[$0] }
      return row.figures.isEmpty ? nil : row
    }
  }
}

extension Money? {
  /// The amount that a row adds to, where it adds something.
  func names(_ name: String...) -> [String] { self == nil ? [] : name }
}

extension JudgedLine {
  /// The line as lost; nil where it is not.
  func churnRow(_ question: Question) -> FigureRow? {
    var figures: [String] = []
    let counted = verdict.countedRow
    if question.includes(counted.productID), isLost(in: question.window) {
      let kind = counted.kind.isPaid ? "paid" : "trial"
      figures.append("lost_\(kind)")
      if state == .revoked {
        figures.append("refunded.\(kind)")
      } else {
        let intent = verdict.expirationIntent
        figures.append("by_intent.\(intent?.rawValue ?? "unknown").\(kind)")
        if counted.kind.isPaid, intent == .customerCancelled { figures.append("voluntary") }
        if counted.kind.isPaid, intent == .billingError { figures.append("involuntary") }
      }
    }
    return figures.isEmpty ? nil : FigureRow(figures, self)
  }

  /// The line as paid at the window's start, by the row that was current then; nil where it was not.
  func startRow(_ question: Question) -> FigureRow? {
    let start = question.window.from
    guard line.wasActivePaid(at: start, product: question.includes), let row = line.phase(at: start)?.current
    else {
      return nil
    }
    let isLost = churnRow(question)?.figures.contains("lost_paid") ?? false
    return FigureRow(
      ["active_paid_at_start"] + (isLost ? ["churn_rate"] : []), row, of: line, at: start,
      why: FigureReason.paidAtStart(row.kind, expires: row.expires, isLost: isLost))
  }

  /// The line as the overview counts it as lost.
  fileprivate func lostRow(_ question: Question) -> FigureRow? {
    guard var row = churnRow(question) else { return nil }
    row.figures.removeAll { !$0.hasPrefix("lost_") && !$0.hasPrefix("by_intent.") }
    return row.figures.isEmpty ? nil : row
  }
}
