extension [JudgedLine] {
  func churnRows(_ question: Question, catalog: Catalog) -> [FigureRow] {
    flatMap { judged in
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
    flatMap { judged in
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
    judged.churnRows(question, catalog: catalog)
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
