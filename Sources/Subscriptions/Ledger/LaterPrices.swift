/// Prices of a line's purchases after one of its rows, up to any instant.
public struct LaterPrices: Sendable {
  public typealias Sum = (amounts: [CurrencyCode: FactSum], unpriced: Int64)

  private let rows: ArraySlice<Row>

  init(_ rows: [Row], after row: Row) { self.rows = rows[rows.placeAfter { $0.purchase <= row.purchase }...] }

  public var last: Instant? { rows.last?.purchase }

  /// Date of the last purchase before `last`.
  var beforeLast: Instant? { rows.last { $0.purchase != last }?.purchase }

  /// Prices of all purchases at the instant `last`.
  public var ofLast: Sum { Self.sum(rows.reversed().prefix { $0.purchase == last }) }

  var isMixed: Bool { all.amounts.count > 1 }

  var all: Sum { Self.sum(rows) }

  func bought(by t: Instant) -> Sum { Self.sum(rows.prefix { $0.purchase <= t }) }

  private static func sum(_ rows: some Sequence<Row>) -> Sum {
    rows.reduce(into: ([:], 0)) { sum, row in
      guard let price = row.price?.amount else {
        sum.unpriced += 1
        return
      }
      sum.amounts[price.currency, default: FactSum()] += FactSum(
        count: 1, micros: price.micros, converted: row.conversion.of(price.micros))
    }
  }
}
