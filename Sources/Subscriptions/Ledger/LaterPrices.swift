/// Sums of the prices of a line's purchases after one of its rows, up to any instant.
public struct LaterPrices: Sendable {
  public typealias Sum = (amounts: [CurrencyCode: FactSum], unpriced: Int64)

  /// Purchase dates of a line, with the prefix sums of prices.
  fileprivate struct Totals: Sendable {
    var purchases: [Instant] = []
    var unpriced: [Int64] = []
    var sums: [CurrencyCode: [FactSum]] = [:]
  }

  private let totals: Totals
  private let after: Instant

  fileprivate init(_ totals: Totals, after: Instant) { (self.totals, self.after) = (totals, after) }

  /// Date of the last purchase after the row; `nil` if there is none.
  public var last: Instant? { totals.purchases.last.flatMap { $0 > after ? $0 : nil } }

  var beforeLast: Instant? {
    last.flatMap { last in
      totals.purchases.lastPlace { $0 < last }.map { totals.purchases[$0] }.flatMap { $0 > after ? $0 : nil }
    }
  }

  /// Sum of the prices of all purchases that were made at the instant `last`.
  public var ofLast: Sum {
    guard let last else { return ([:], 0) }
    let (all, before) = (all, bought(by: last - 1))
    var amounts = all.amounts
    for (currency, sum) in before.amounts { amounts[currency, default: FactSum()] -= sum }
    return (amounts.filter { $0.value.count != 0 }, all.unpriced - before.unpriced)
  }

  var isMixed: Bool { all.amounts.count > 1 }

  var all: Sum { bought(by: .distantFuture) }

  func bought(by t: Instant) -> Sum {
    guard let end = totals.purchases.lastPlace(where: { $0 <= t }) else { return ([:], 0) }
    let start = totals.purchases.lastPlace { $0 <= after }
    guard end > start ?? -1 else { return ([:], 0) }
    var amounts: [CurrencyCode: FactSum] = [:]
    for (currency, sums) in totals.sums {
      var sum = sums[end]
      if let start { sum -= sums[start] }
      if sum.count != 0 { amounts[currency] = sum }
    }
    return (amounts, totals.unpriced[end] - (start.map { totals.unpriced[$0] } ?? 0))
  }
}

/// Prices of all rows of a line, shared by the `LaterPrices` of each row.
struct LinePrices {
  private var totals = LaterPrices.Totals()

  init(_ rows: [Row]) {
    totals.purchases = rows.map(\.purchase)
    totals.unpriced.reserveCapacity(rows.count)
    for currency in Set(rows.compactMap(\.price?.amount.currency)) {
      var sum = FactSum()
      totals.sums[currency] = rows.map { row in
        guard let price = row.price?.amount, price.currency == currency else { return sum }
        sum += FactSum(count: 1, micros: price.micros, converted: row.conversion.of(price.micros))
        return sum
      }
    }
    var unpriced: Int64 = 0
    for row in rows {
      if row.price == nil { unpriced += 1 }
      totals.unpriced.append(unpriced)
    }
  }

  func after(_ row: Row) -> LaterPrices { LaterPrices(totals, after: row.purchase) }
}
