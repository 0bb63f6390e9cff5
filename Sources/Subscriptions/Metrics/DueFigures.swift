/// The lines whose period ends soon, and what their renewals would cost.
///
/// Of lines in state `trial` or `active` by the expiry of their current row. With auto-renew on they are expected to be
/// charged the catalogue's standard price, at that expiry, of the product that Apple says they renew as.
public struct DueFigures: Hashable, Sendable, Encodable {
  /// From the as-of instant.
  public var days: Int
  public var lines = 0
  /// Those with auto-renew on.
  public var renewing = 0
  /// In micros for each currency.
  public var expected = Amounts()
  /// Renewing lines without a price, which add nothing.
  public var unpriced = 0

  public init(days: Int) { self.days = days }

  /// Days ahead that are looked at.
  public static let horizons = [1, 7]

  public static func names(within days: Int) -> [String] {
    ["lines", "renewing", "unpriced"].map { "due.\(days).\($0)" }
  }

  /// - Parameter expected: of all of them; nil is unpriced.
  public mutating func count(renewing isRenewing: Bool, together expected: Money?, by n: Int) {
    lines += n
    guard isRenewing else { return }
    renewing += n
    if let expected { self.expected.add(expected) } else { unpriced += n }
  }

  /// - Parameter expected: of each; nil is unpriced.
  public mutating func count(renewing isRenewing: Bool, expected price: Money?, by n: Int = 1) {
    lines += n
    guard isRenewing else { return }
    renewing += n
    if let price { expected.add(price, times: n) } else { unpriced += n }
  }
}

extension DueFigures {
  static func all(_ judged: [JudgedLine], _ question: Question, catalog: Catalog) -> [DueFigures] {
    horizons.map { days in
      var figures = DueFigures(days: days)
      for judged in judged where judged.isDue(within: days, question) {
        figures.count(
          renewing: judged.verdict.autoRenew == true, expected: judged.expectedCharge(catalog: catalog))
      }
      return figures
    }
  }
}

extension JudgedLine {
  fileprivate func isDue(within days: Int, _ question: Question) -> Bool {
    (state == .trial || state == .active) && question.includes(product)
      && verdict.current.expires > question.at
      && verdict.current.expires <= question.at + Int64(days) * Milliseconds.day
  }

  fileprivate func expectedCharge(catalog: Catalog) -> Money? {
    catalog.standardPrice(of: verdict.renewal?.autoRenewProductID ?? product, at: verdict.current.expires)
  }

  /// The line as one that comes due; nil where it does not.
  func dueRow(_ question: Question, catalog: Catalog) -> FigureRow? {
    let isRenewing = verdict.autoRenew == true
    let charge = isRenewing ? expectedCharge(catalog: catalog) : nil
    let figures = DueFigures.horizons.filter { isDue(within: $0, question) }
      .flatMap { DueFigures.names(within: $0).prefix(!isRenewing ? 1 : charge == nil ? 3 : 2) }
    guard !figures.isEmpty else { return nil }
    return FigureRow(figures, self, amount: charge)
  }
}
