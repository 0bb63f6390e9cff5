import AppStore
import Subscriptions

/// Price catalog as CSV: one price of a product and offer per line, with the date from which it is valid.
public enum CatalogFile: LineFormat {
  public static let name = "catalog"
  public static let what = "a catalogue"
  public static let header = [
    "product_id", "subscription_group_id", "level", "period", "offer", "price", "currency", "valid_from",
  ]

  public static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ take: (Int, LineContent<CatalogEntry>) throws(Failure) -> Void
  ) throws(Failure) {
    try readRows(
      &lines, atMost: (FieldLimits.prices, "prices"),
      header: { (text) throws(UnreadableAnswer) in
        let names = try? CSVLine.fields(of: text)
        guard names == header else {
          try ColumnName.refuseTwice(header, in: names ?? [])
          throw UnreadableAnswer(reason: "the header is not \(header.joined(separator: ","))")
        }
      },
      row: { (text, _) throws(UnreadableAnswer) in
        try CatalogLine(fields: try CSVLine.fields(of: text, count: header.count)).entry()
      },
      repetition: { entry in
        (
          CatalogKey(product: entry.productID, offer: entry.offer, validFrom: entry.validFrom),
          "the product has this offer and valid_from twice"
        )
      }, take)
  }
}

private struct CatalogKey: Hashable {
  let product: ProductID
  let offer: Offer
  let validFrom: Instant?
}

private struct CatalogLine {
  let fields: [String]

  func entry() throws(UnreadableAnswer) -> CatalogEntry {
    guard !fields[0].isEmpty else { throw UnreadableAnswer(reason: "product_id is missing") }
    try check(0, atMost: FieldLimits.name)
    try check(1, atMost: FieldLimits.id)
    try check(4, atMost: FieldLimits.offer)
    let period = try value(3, Period.init(parsing:), "is not a period like P1W, P3D, P1M or P1Y")
    let offer = try value(4, Offer.init(parsing:), "must be empty, trial, intro, promo:<id> or code:<name>")
    let highest = FieldLimits.level
    let level =
      fields[2].isEmpty
      ? nil
      : try value(
        2, { Int($0).flatMap { highest.contains($0) ? $0 : nil } },
        "is not a whole number from 1, the highest, to \(highest.upperBound)")
    let digits = FieldLimits.priceDigits
    let price = try value(
      5, { units(ofDecimal: $0, whole: digits.whole, places: digits.fraction) },
      "is not a decimal like 9.99, with at most nine digits and six places")
    let currency = try value(6, CurrencyCode.init(iso4217:), "is not an ISO 4217 code like USD")
    let validFrom =
      fields[7].isEmpty
      ? nil
      : Instant(startOf: try value(7, { CivilDate(parsing: $0) }, "is not a date like 2026-01-31"))
    if let breach = validFrom.flatMap(FieldLimits.breach(by:)) {
      throw UnreadableAnswer(reason: "valid_from \(breach)")
    }
    return CatalogEntry(
      productID: ProductID(fields[0]),
      subscriptionGroupID: fields[1].isEmpty ? nil : SubscriptionGroupID(fields[1]), level: level,
      period: period, offer: offer, price: Money(micros: price, currency: currency), validFrom: validFrom)
  }

  private func value<Value>(
    _ column: Int, _ parse: (String) -> Value?, _ fault: String
  ) throws(UnreadableAnswer) -> Value {
    guard let value = parse(fields[column]) else {
      throw UnreadableAnswer(reason: "\(CatalogFile.header[column]) \(fault)")
    }
    return value
  }

  private func check(_ column: Int, atMost bytes: Int) throws(UnreadableAnswer) {
    let field = fields[column]
    let breach =
      BlankValue.isBlank(field) ? "is blank" : FieldLimits.breach(byBytes: field.utf8.count, over: bytes)
    // Names of offer codes may contain any character, even an invisible one.
    let unseen = column <= 1 ? BlankValue.unseen(in: field) : nil
    if let breach = breach ?? unseen {
      throw UnreadableAnswer(reason: "\(CatalogFile.header[column]) \(breach)")
    }
  }
}
