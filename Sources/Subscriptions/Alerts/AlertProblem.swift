public enum AlertProblem: Error, Hashable, Sendable {
  case empty, window, product, relation, usual
  case figure(String)
  case scope(String)
  case comparison(String)
  case everything(String)
  case rest(String)
  case currency(AlertFigure)
  case noValue(AlertFigure)
  case value(AlertFigure, String)

  /// Problem and advice, in ASCII except for quoted words, for the end of an error message.
  public var sentence: String {
    switch self {
    case .empty: "the condition is empty; write one such as \"churn_rate > 6%\""
    case .figure(let name):
      "unknown figure \"\(name)\"; use one from `subtop help alerts`, such as churn_rate, or a panel and a path in its JSON, such as churn.lost_paid"
    case .scope(let word):
      "\"\(word)\" is not allowed here; between the figure and the comparison write only today, in 7d or product ID, each once"
    case .comparison(let word): "\"\(word)\" is not a comparison; use >, <, >= or <="
    case .window: "no number of days or weeks after \"in\"; write in 7d or in 4w, for example"
    case .product: "no id after \"product\"; write product com.example.pro.monthly, for example"
    case .everything(let name): "\(name) covers the whole store, not one product; remove product"
    case .relation: "the comparison is missing; write >, <, >= or <= before the value"
    case .usual:
      "unknown form of usual; write 3x usual, 20% above usual or 20% below usual"
    case .rest(let word): "unexpected \"\(word)\" after the value; remove it"
    case .currency(let figure):
      "\(figure.name) is an amount, but the value has no currency; write 500 EUR, for example, or set reporting_currency"
    case .noValue(let figure): "the value is missing; \(Self.advice(figure))"
    case .value(let figure, let text):
      "\"\(text)\" is not a valid value of \(figure.name), which is \(figure.kind.words); \(Self.advice(figure))"
    }
  }

  private static func advice(_ figure: AlertFigure) -> String {
    "write \(figure.kind.words) such as \(figure.kind.example), or 3x usual"
  }
}

extension ReportValue.Kind {
  fileprivate var words: String {
    switch self {
    case .count: "a number"
    case .share: "a share"
    case .amount: "an amount"
    }
  }

  fileprivate var example: String {
    switch self {
    case .count: "500"
    case .share: "6%"
    case .amount: "500 EUR"
    }
  }
}
