import AppStore
import Subscriptions

/// Price catalogue as CSV, one dated price a line.
public enum CatalogFile: LineFormat {
  public static let name = "catalog"
  public static let what = "a catalogue"
  public static let header = [
    "product_id", "subscription_group_id", "level", "period", "offer", "price", "currency", "valid_from",
  ]

  public static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ take: (Int, LineContent<CatalogEntry>) throws(Failure) -> Void
  ) throws(Failure) {
    var seen: Set<CatalogKey> = []
    try readRows(
      &lines,
      header: { (text) throws(BadField) in
        let names = try? CSVLine.fields(of: text)
        guard names == header else {
          try ColumnName.refuseTwice(header, in: names ?? [])
          throw BadField(reason: "the header is not \(header.joined(separator: ","))")
        }
      },
      row: { (text, _) throws(BadField) in
        let entry = try CatalogLine(fields: try CSVLine.fields(of: text, count: header.count)).entry()
        let key = CatalogKey(entry)
        guard seen.contains(key) || seen.count < FieldLimits.prices else {
          throw BadField(
            reason: "the file has more than \(FieldLimits.grouped(FieldLimits.prices)) prices")
        }
        guard seen.insert(key).inserted else {
          throw BadField(reason: "the product has this offer and valid_from twice")
        }
        return entry
      }, take)
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
  let fields: [String]

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
    let field = fields[column]
    let breach =
      BlankValue.isBlank(field) ? "is blank" : FieldLimits.breach(byBytes: field.utf8.count, over: bytes)
    // Names of offer codes may contain any character.
    let unseen = column <= 1 ? BlankValue.unseen(in: field) : nil
    if let breach = breach ?? unseen {
      throw BadField(reason: "\(CatalogFile.header[column]) \(breach)")
    }
  }

  private func level() throws(BadField) -> Int? {
    guard !fields[2].isEmpty else { return nil }
    guard let level = Int(fields[2]), FieldLimits.level.contains(level) else {
      throw BadField(
        reason: "level is not a whole number from 1, the highest, to \(FieldLimits.level.upperBound)")
    }
    return level
  }

  private func price() throws(BadField) -> Int64 {
    guard
      let micros = units(
        ofDecimal: fields[5], whole: FieldLimits.priceDigits.whole, places: FieldLimits.priceDigits.fraction)
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
