import Subscriptions

extension ReferenceModel {
  struct Price: Sendable {
    var micros: Int
    var currency: String
    /// ISO 8601, such as `P1M`; `nil` if unknown.
    var period: String?

    /// Monthly part of the price: n months 1/n, n years 1/12n, n days 30.4375/n, n weeks 30.4375/7n.
    var monthly: Int? {
      guard let period else { return nil }
      guard let count = Int128(period.dropFirst().dropLast()), count > 0 else { return 0 }
      let price = Int128(micros)
      return switch period.last {
      case "D": Exactly.divided(price * 304_375, by: 10_000 * count)
      case "W": Exactly.divided(price * 304_375, by: 70_000 * count)
      case "M": Exactly.divided(price, by: count)
      default: Exactly.divided(price, by: 12 * count)
      }
    }
  }

  struct Prices: Sendable {
    private struct Entry {
      var product: String
      var group: String
      var level: Int?
      var offer: String
      var price: Price
      var from: Int?
    }

    private let entries: [Entry]

    init(_ csv: String) throws {
      entries = try csv.split(separator: "\n").dropFirst().map { line in
        let fields = line.split(separator: ",", omittingEmptySubsequences: false).map {
          String($0).trimmingSpaces
        }
        guard fields.count == 8 else { throw MissingEvidence(key: "eight fields: \(line)") }
        let parts = fields[5].split(separator: ".")
        let fraction = parts.count > 1 ? String(parts[1]) : ""
        let digits = fraction + String(repeating: "0", count: 6 - fraction.count)
        let micros = (Int(parts[0]) ?? 0) * 1_000_000 + (Int(digits) ?? 0)
        let from =
          fields[7].isEmpty ? nil : Instant(parsing: "\(fields[7])T00:00:00Z").map { Int($0.rawValue) }
        return Entry(
          product: fields[0], group: fields[1], level: Int(fields[2]), offer: fields[4],
          price: Price(micros: micros, currency: fields[6], period: fields[3]), from: from)
      }
    }

    private func entry(_ product: String, _ offer: String, at instant: Int) -> Entry? {
      entries.filter { $0.product == product && $0.offer == offer && ($0.from ?? .min) <= instant }
        .max { ($0.from ?? .min) < ($1.from ?? .min) }
    }

    /// Price of a row; `nil` if it is unpriced or shared.
    func price(of row: Row) -> Price? {
      if row.isShared { return nil }
      let listed = listed(row)
      if let (micros, currency) = row.signedPrice {
        return Price(micros: micros, currency: currency, period: listed?.period ?? row.nearestPeriod)
      }
      guard listed == nil, row.kind == "trial" else { return listed }
      return entry(row.product, "", at: row.start)?.price.free
    }

    private func listed(_ row: Row) -> Price? {
      let offer: String? =
        switch row.kind {
        case "trial", "intro": row.kind
        case "promo": row.promotion.map { "promo:\($0)" }
        case "code": row.code.map { "code:\($0)" }
        default: ""
        }
      return offer.flatMap { entry(row.product, $0, at: row.start)?.price }
    }

    func standard(_ product: String, at instant: Int) -> Price? { entry(product, "", at: instant)?.price }

    func group(of product: String) -> String? { entries.first { $0.product == product }?.group }

    func level(of product: String) -> Int? { entries.first { $0.product == product }?.level }

    /// Period of a row's price, or of its product if it is unpriced; `nil` if unknown.
    func period(of row: Row) -> String? {
      let standard =
        entry(row.product, "", at: row.start) ?? entries.first { $0.product == row.product && $0.offer == "" }
      return price(of: row).map(\.period) ?? standard?.price.period
    }

    func direction(from old: String, to new: String?, whereFartherIs name: String) -> String {
      guard let new, let before = level(of: old), let after = level(of: new) else { return "unranked" }
      if before == after { return "crossgrade" }
      return (after < before) == (name == "upgrade") ? name : "unranked"
    }
  }
}

extension ReferenceModel.Price {
  fileprivate var free: Self { Self(micros: 0, currency: currency, period: period) }
}

extension ReferenceModel.Row {
  /// Apple's duration nearest to the row's first known length; `nil` in the sandbox, which shortens periods.
  fileprivate var nearestPeriod: String? {
    guard let end, !isSandbox else { return nil }
    let length = 16 * (min(end, firstEnd ?? end) - start)
    let months = [("P1M", 1), ("P2M", 2), ("P3M", 3), ("P6M", 6), ("P1Y", 12)].map { ($0, 487 * $1) }
    let all = [("P3D", 16 * 3), ("P1W", 16 * 7)] + months
    return all.min { abs($0.1 * ReferenceModel.day - length) < abs($1.1 * ReferenceModel.day - length) }?.0
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
