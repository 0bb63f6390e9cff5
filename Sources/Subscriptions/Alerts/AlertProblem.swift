/// Error in an alert's condition.
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

  /// Problem and correction, to be appended after a colon. ASCII only, like all error messages.
  public var sentence: String {
    switch self {
    case .empty: "it is empty; write a condition like \"churn_rate > 6%\""
    case .figure(let name):
      "there is no figure \(name); write one of `subtop help alerts`, like churn_rate, or a panel with a path of its JSON, like churn.lost_paid"
    case .scope(let word):
      "\(word) is no part of a condition; between a figure and its comparison may stand today, in 7d and product ID, each once"
    case .comparison(let word): "\(word) is no comparison; write one of >, <, >= and <="
    case .window: "after in stands no span of days or weeks; write one like in 7d or in 4w"
    case .product: "after product stands no id; write one like product com.example.pro.monthly"
    case .everything(let name): "\(name) is of the whole store, and not of one product; leave product out"
    case .relation: "the comparison is missing; write one of >, <, >= and <= before the value"
    case .usual:
      "what is usual is not written so; write it like 3x usual, 20% above usual or 20% below usual"
    case .rest(let word): "behind the value stands \(word), and nothing may stand there; take it away"
    case .currency(let figure):
      "\(figure.name) is an amount, and the value has no currency; write it like 500 EUR, or set reporting_currency"
    case .noValue(let figure): "the value is missing; \(Self.advice(figure))"
    case .value(let figure, let text):
      "\(text) is no value of \(figure.name), which is \(figure.kind.words); \(Self.advice(figure))"
    }
  }

  private static func advice(_ figure: AlertFigure) -> String {
    "write \(figure.kind.words) like \(figure.kind.example), or 3x usual"
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
