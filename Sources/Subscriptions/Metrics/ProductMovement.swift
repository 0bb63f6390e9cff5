/// What changed of one product in a window: METRICS §5, as the overview tells it. A line is of the product that it had before it left.
public struct ProductMovement: Hashable, Sendable, Encodable {
  public var productId: ProductID
  /// Paid at the window's start and at its end.
  public var start: Int
  public var end: Int
  /// Subscribers lost, from Paid alone.
  public var lost: Int
  /// What their revenue a month is at the end less what it was at the start.
  public var mrrChange: Amounts

  /// Nil where the part is no product.
  init?(_ part: LedgerFigures.Part, _ question: Question) {
    guard case .product(let id) = part.part else { return nil }
    func subscribers(_ figure: String) -> Int { Int(clamping: part["subscribers"]?[figure] ?? 0) }
    productId = id
    (start, end, lost) = (subscribers("start"), subscribers("end"), subscribers("lost"))
    mrrChange = Amounts(in: question.reportingCurrency)
    if let revenue = part["mrr"], let (start, end) = revenue.ends {
      for row in revenue.rows {
        guard let currency = row.currency else { continue }
        let converted = row.converted.map { Converted(micros: $0[end] - $0[start]) }
        mrrChange.add(
          Money(micros: row.values[end] - row.values[start], currency: currency),
          converted ?? Converted(unconverted: 1))
      }
    }
  }
}
