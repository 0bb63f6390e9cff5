/// Condition of an alert, such as `refunds today > 3 × usual`: a figure, a scope, a comparison and a limit.
public struct AlertCondition: Hashable, Sendable {
  public enum Relation: String, Hashable, Sendable {
    case above = ">"
    case below = "<"
    case atLeast = ">="
    case atMost = "<="

    func holds(_ value: Double, _ limit: Double) -> Bool {
      switch self {
      case .above: value > limit
      case .below: value < limit
      case .atLeast: value >= limit
      case .atMost: value <= limit
      }
    }
  }

  public enum Limit: Hashable, Sendable {
    case fixed(ReportValue)
    /// Amount in the reporting currency or, if none is configured, in the store's only currency.
    case amount(micros: Int64)
    /// Multiple of the usual value (see `AlertEvaluation`).
    case usual(times: Double)
  }

  public let figure: AlertFigure
  /// Length of the window in days; `nil` means `standardDays`.
  public let days: Int?
  public let product: ProductID?
  public let relation: Relation
  public let limit: Limit

  public static let standardDays = 28

  /// Condition as written, with single spaces between words.
  public let text: String

  public init(parsing line: String) throws(AlertProblem) {
    // Puts spaces around the comparison operator, because a condition can be written without them.
    let parts = line.replacing(/[<>][<>=]*/) { " \($0.output) " }.split(whereSeparator: \.isWhitespace)
    var words = parts.map(String.init)[...]
    text = words.joined(separator: " ")
    guard let name = words.popFirst() else { throw .empty }
    guard let figure = AlertFigure(name) else { throw .figure(name) }
    self.figure = figure
    var (days, product) = (Int?.none, ProductID?.none)
    while let word = words.first, Relation(rawValue: word) == nil {
      _ = words.popFirst()
      switch word {
      case "today" where days == nil: days = 1
      case "in" where days == nil:
        guard let span = words.popFirst(), let count = Self.days(span) else { throw .window }
        days = count
      case "product" where product == nil:
        guard let id = words.popFirst(), Relation(rawValue: id) == nil else { throw .product }
        guard !figure.isOfEverything else { throw .everything(name) }
        product = ProductID(id)
      default:
        if word.allSatisfy({ "=!≥≤≠".contains($0) }) { throw .comparison(word) }
        throw words.contains { Relation(rawValue: $0) != nil } ? .scope(word) : .relation
      }
    }
    guard let relation = words.popFirst().flatMap(Relation.init) else { throw .relation }
    (self.days, self.product, self.relation) = (days, product, relation)
    limit = try Self.limit(&words, of: figure)
    if let rest = words.popFirst() { throw .rest(rest) }
  }

  private static func days(_ text: String) -> Int? {
    let units: [Substring: Int] = ["d": 1, "w": 7]
    guard let unit = units[text.suffix(1)], let count = Int(text.dropLast()), (1...3650).contains(count)
    else { return nil }
    return count * unit
  }

  private static func limit(
    _ words: inout ArraySlice<String>, of figure: AlertFigure
  ) throws(AlertProblem) -> Limit {
    let written = words.joined(separator: " ")
    guard let first = words.popFirst() else { throw .noValue(figure) }
    if first == "usual" { return .usual(times: 1) }
    guard let number = AlertNumber(first) else {
      guard let currency = CurrencyCode(iso4217: first),
        let amount = words.popFirst().flatMap(AlertNumber.init),
        let value = amount.value(of: figure, in: currency)
      else { throw .value(figure, written) }
      return .fixed(value)
    }
    switch words.first {
    case "×", "x", "X", "*":
      _ = words.popFirst()
      guard words.popFirst() == "usual", number.sign.isEmpty else { throw .usual }
      return .usual(times: number.number)
    case _ where ["×", "x"].contains(number.sign):
      guard words.popFirst() == "usual" else { throw .usual }
      return .usual(times: number.number)
    case "above", "below":
      let isAbove = words.popFirst() == "above"
      guard words.popFirst() == "usual", number.sign == "%", isAbove || number.number <= 100 else {
        throw .usual
      }
      return .usual(times: isAbove ? 1 + number.number / 100 : 1 - number.number / 100)
    default:
      if words.contains("usual") { throw .usual }
      let currency = words.first.flatMap { CurrencyCode(iso4217: $0) }
      if currency != nil { _ = words.popFirst() }
      if figure.kind == .amount, currency == nil, number.sign.isEmpty {
        // A word after the number may be a misspelled currency.
        guard words.first == nil else { throw .currency(figure) }
        guard let micros = number.micros else { throw .value(figure, written) }
        return .amount(micros: micros)
      }
      guard let value = number.value(of: figure, in: currency) else { throw .value(figure, written) }
      return .fixed(value)
    }
  }
}

private struct AlertNumber {
  let number: Double
  /// Suffix of the number: `%`, `x`, `×` or empty.
  let sign: String
  private let digits: String

  init?(_ text: String) {
    let digits = String(text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") })
    let sign = String(text.dropFirst(digits.count))
    guard ["", "%", "x", "×"].contains(sign), digits.count <= 15, digits.first?.isNumber ?? false,
      digits.last?.isNumber ?? false, let number = Double(digits)
    else { return nil }
    (self.number, self.sign, self.digits) = (number, sign, digits)
  }

  /// Returns the limit for a figure; `nil` if number, suffix or currency do not fit the figure's kind.
  func value(of figure: AlertFigure, in currency: CurrencyCode?) -> ReportValue? {
    switch (figure.kind, sign, currency) {
    case (.share, "%", nil): .share(number / 100)
    case (.share, "", nil) where number <= 1: .share(number)
    case (.count, "", nil): .count(number)
    case (.amount, "", let currency?): micros.map { .amount(Money(micros: $0, currency: currency)) }
    default: nil
    }
  }

  /// Exact value in micros; `nil` if the number has more than six decimals or overflows.
  var micros: Int64? {
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? parts[1] : ""
    guard fraction.count <= 6 else { return nil }
    return Int64(parts[0] + fraction + String(repeating: "0", count: 6 - fraction.count))
  }
}
