import AppStore
import Subscriptions

/// The price catalogue as CSV, one dated price a line.
public enum CatalogFile: LineFormat {
  public static let name = "catalog"
  public static let what = "a catalogue"
  public static let header = [
    "product_id", "subscription_group_id", "level", "period", "offer", "price", "currency", "valid_from",
  ]

  public static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ take: (LinePlace, LineContent<CatalogEntry>) throws(Failure) -> Void
  ) throws(Failure) {
    guard let first = try lines.next() else { return try take(.first, empty) }
    guard !first.isTooLong else { return try take(first.place, .bad(first.reasonOfLength)) }
    guard (try? CSVLine.fields(of: first.text)) == header else {
      return try take(first.place, .bad("the header is not \(header.joined(separator: ","))"))
    }
    var seen: Set<CatalogKey> = []
    while let line = try lines.next() {
      try take(line.place, line.isTooLong ? .bad(line.reasonOfLength) : content(of: line.text, &seen))
    }
  }

  private static func content(of line: [UInt8], _ seen: inout Set<CatalogKey>) -> LineContent<CatalogEntry> {
    do throws(BadField) {
      let entry = try CatalogLine(try CSVLine.fields(of: line)).entry()
      guard seen.contains(CatalogKey(entry)) || seen.count < FieldLimits.prices else {
        throw BadField(
          reason: "the file has more than \(FieldLimits.grouped(FieldLimits.prices)) prices")
      }
      guard seen.insert(CatalogKey(entry)).inserted else {
        throw BadField(reason: "the product has this offer and valid_from twice")
      }
      return .item(entry)
    } catch {
      return .bad(error.reason)
    }
  }
}

private struct CatalogKey: Hashable {
  let product: ProductID
  let offer: Offer
  let validFrom: Instant?

  init(_ entry: CatalogEntry) {
    (product, offer, validFrom) = (entry.productID, entry.offer, entry.validFrom)
  }
}

private struct CatalogLine {
  private let fields: [String]

  init(_ fields: [String]) throws(BadField) {
    guard fields.count == CatalogFile.header.count else {
      throw BadField(reason: "it has \(fields.count) fields instead of \(CatalogFile.header.count)")
    }
    self.fields = fields
  }

  func entry() throws(BadField) -> CatalogEntry {
    guard !fields[0].isEmpty else { throw BadField(reason: "product_id is missing") }
    try check(0, atMost: FieldLimits.name)
    try check(1, atMost: FieldLimits.id)
    try check(4, atMost: FieldLimits.offer)
    guard let period = Period(parsing: fields[3]) else {
      throw BadField(reason: "period is not like P1W, P3D, P1M or P1Y")
    }
    guard let offer = Offer(parsing: fields[4]) else {
      throw BadField(reason: "offer is not empty, trial, intro, promo:<id> or code:<name>")
    }
    let group = fields[1].isEmpty ? nil : SubscriptionGroupID(fields[1])
    return CatalogEntry(
      productID: ProductID(fields[0]), subscriptionGroupID: group, level: try level(), period: period,
      offer: offer, price: Money(micros: try price(), currency: try currency()), validFrom: try validFrom())
  }

  private func check(_ column: Int, atMost bytes: Int) throws(BadField) {
    guard let breach = FieldLimits.breach(byBytes: fields[column].utf8.count, over: bytes) else { return }
    throw BadField(reason: "\(CatalogFile.header[column]) \(breach)")
  }

  private func level() throws(BadField) -> Int? {
    guard !fields[2].isEmpty else { return nil }
    guard let level = Int(fields[2]), FieldLimits.level.contains(level) else {
      throw BadField(
        reason: "level is not a whole number from 1, the highest, to \(FieldLimits.level.upperBound)")
    }
    return level
  }

  /// A decimal with `.` to micros, exactly.
  private func price() throws(BadField) -> Int64 {
    let parts = fields[5].split(separator: ".", omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? parts[1] : ""
    guard (1...2).contains(parts.count), !parts[0].isEmpty,
      parts[0].utf8.count <= FieldLimits.priceDigits.whole,
      fraction.utf8.count <= FieldLimits.priceDigits.fraction,
      parts.count == 1 || !fraction.isEmpty,
      (parts[0] + fraction).utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let micros = Int64(parts[0] + fraction + String(repeating: "0", count: 6 - fraction.utf8.count))
    else {
      throw BadField(reason: "price is not a decimal like 9.99, with at most nine digits and six places")
    }
    return micros
  }

  private func currency() throws(BadField) -> CurrencyCode {
    guard let currency = CurrencyCode(iso4217: fields[6]) else {
      throw BadField(reason: "currency is not an ISO 4217 code like USD")
    }
    return currency
  }

  private func validFrom() throws(BadField) -> Instant? {
    guard !fields[7].isEmpty else { return nil }
    guard let date = CivilDate(parsing: fields[7]) else {
      throw BadField(reason: "valid_from is not a date like 2026-01-31")
    }
    let instant = Instant(startOf: date)
    if let breach = FieldLimits.breach(by: instant) { throw BadField(reason: "valid_from \(breach)") }
    return instant
  }
}
