/// Second implementation of METRICS, which shares no code with the program.
///
/// Its only inputs are the evidence that `subtop chain` prints, a catalog of prices and a question.
enum ReferenceModel {
  static let hour = 3_600_000
  static let day = 24 * hour

  struct Question: CustomStringConvertible, Sendable {
    /// Instant t in milliseconds since 1970.
    var instant: Int
    var days: Int
    var environment: String
    /// Empty for all.
    var products: [String] = []

    var from: Int { instant - days * ReferenceModel.day }

    /// Whether a moment is in the window: after `from`, and not after `instant`.
    func holds(_ moment: Int) -> Bool { from < moment && moment <= instant }

    func asks(for product: String) -> Bool { products.isEmpty || products.contains(product) }

    var arguments: [String] {
      ["--at", "\(instant)", "--window", "\(days)d", "--environment", environment]
        + products.flatMap { ["--product", $0] }
    }

    var description: String { arguments.joined(separator: " ") }
  }
}

enum Exactly {
  /// Quotient rounded half to even.
  static func divided(_ dividend: Int128, by divisor: Int128) -> Int {
    precondition(dividend >= 0 && divisor > 0)
    let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    let isUp = 2 * remainder > divisor || (2 * remainder == divisor && quotient % 2 == 1)
    return Int(quotient + (isUp ? 1 : 0))
  }
}
