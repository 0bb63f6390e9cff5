import AppStore
import Subscriptions

struct AppleReportLine {
  private let columns: AppleReportColumns
  private let fields: [ArraySlice<UInt8>]

  static func fields(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
    text.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
  }

  init(_ text: [UInt8], _ columns: AppleReportColumns) throws(UnreadableAnswer) {
    var fields = Self.fields(text)
    // The rows of finance reports end with a tab; their header does not.
    if fields.count == columns.count + 1, fields.last?.isEmpty == true { fields.removeLast() }
    guard fields.count == columns.count else {
      throw UnreadableAnswer(reason: "it has \(fields.count) fields instead of \(columns.count)")
    }
    (self.columns, self.fields) = (columns, fields)
  }

  /// Returns the rows to import: one per non-zero balance in a subscription report, otherwise a single row.
  func rows() throws(UnreadableAnswer) -> [AppleReportRow] {
    switch columns.kind {
    case .subscription: return try balances()
    case .events:
      let measure = AppleMeasure(event: try text(.event))
      guard !measure.rawValue.isEmpty else { throw fault(.event, "is empty") }
      var row = try row(on: try date(.day), measure)
      row.units = try units()
      return [row]
    default: return [try transaction()]
    }
  }

  private func balances() throws(UnreadableAnswer) -> [AppleReportRow] {
    var row = try row(on: CivilDate(daysSince1970: 0), .other)
    row.price = try money(.price, .currency)?.magnitude
    var rows: [AppleReportRow] = []
    for balance in columns.balances {
      let field = Self.trimmed(fields[balance.place])
      guard let count = field.isEmpty ? 0 : Self.units(field) else {
        if balance.isUnknown { continue }
        throw UnreadableAnswer(reason: "\(balance.measure.rawValue) is not a whole number")
      }
      (row.measure, row.units) = (balance.measure, count)
      if count != 0 { rows.append(row) }
    }
    return rows
  }

  private func transaction() throws(UnreadableAnswer) -> AppleReportRow {
    let (units, price, isFinance) = (try units(), try money(.price, .currency), columns.kind.isFinance)
    let (flag, type) = (try text(.refund).lowercased(), try text(.type))
    guard (isFinance ? ["s", "r"] : ["", "no", "yes"]).contains(flag) else {
      throw fault(.refund, isFinance ? "is neither S nor R" : "is neither Yes nor empty")
    }
    let isReturned = ["r", "yes"].contains(flag) || units < 0 || price.map { $0.micros < 0 } == true
    let isSubscription = columns.place(.type) == nil || ["IAY", "IAY-M"].contains(type)
    let measure: AppleMeasure =
      !isSubscription ? .other : !isReturned ? .sale : units == 0 ? .credit : .refund
    var row = try row(on: try date(.day), measure)
    (row.units, row.price) = (units, price?.magnitude)
    // A partial refund has zero units.
    let count = Int128(isReturned ? max(1, units.magnitude) : units.magnitude) * (isReturned ? -1 : 1)
    row.amount = try multiplied(row.price, count)
    // Proceeds are for the whole row in finance reports, and for one unit in other reports.
    let proceeds = try money(.proceeds, .proceedsCurrency)
    row.proceeds = try multiplied(
      isReturned ? proceeds?.magnitude : proceeds, !isFinance ? count : isReturned ? -1 : 1)
    let subscriber = try text(.subscriber)
    row.subscriber = subscriber.isEmpty ? nil : subscriber
    row.purchased = try text(.purchased).isEmpty ? nil : try date(.purchased)
    row.settled = try text(.settled).isEmpty ? nil : try date(.settled)
    return row
  }

  private func row(on day: CivilDate, _ measure: AppleMeasure) throws(UnreadableAnswer) -> AppleReportRow {
    let (id, product, territory) = (try text(.appleID), try text(.product), try text(.country))
    guard (1...FieldLimits.id).contains(id.utf8.count) else {
      throw fault(.appleID, "is empty, or longer than \(FieldLimits.id) bytes")
    }
    guard [0, 2, 3].contains(territory.utf8.count), territory.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
    else { throw fault(.country, "is not a code like US") }
    var row = AppleReportRow(
      day: day, measure: measure, appleID: id, storefront: StorefrontCode.ofTerritory(territory))
    row.product = product.isEmpty ? nil : ProductID(product)
    row.offer = try text(.offer)
    return row
  }
}

// MARK: Fields

extension AppleReportLine {
  private func text(_ field: AppleReportField) throws(UnreadableAnswer) -> String {
    guard let place = columns.place(field) else { return "" }
    let bytes = Self.trimmed(fields[place])
    guard bytes.count <= FieldLimits.text, let text = String(validating: bytes, as: UTF8.self) else {
      throw fault(field, "is not UTF-8 text of at most \(FieldLimits.text) bytes")
    }
    return text
  }

  func date(_ field: AppleReportField) throws(UnreadableAnswer) -> CivilDate {
    guard let date = AppleReportDay.parse(try text(field)) else {
      throw fault(field, "is not a day like 02/18/2026 or 2026-02-18, from 2008-07-10 to 2099-12-31")
    }
    return date
  }

  private func units() throws(UnreadableAnswer) -> Int64 {
    guard let place = columns.place(.units), let units = Self.units(Self.trimmed(fields[place])) else {
      throw fault(.units, "is not a whole number of at most nine digits")
    }
    return units
  }

  private func money(
    _ field: AppleReportField, _ currencyField: AppleReportField
  ) throws(UnreadableAnswer) -> Money? {
    guard let place = columns.place(field), case let bytes = Self.trimmed(fields[place]), !bytes.isEmpty
    else { return nil }
    guard let micros = Self.micros(bytes) else {
      throw fault(field, "is not a decimal like 9.99, with at most nine digits and six places")
    }
    let text = try text(currencyField)
    // Free downloads may have no currency.
    if text.isEmpty, micros == 0 { return nil }
    guard let currency = CurrencyCode(iso4217: text) else {
      throw fault(currencyField, "is not an ISO 4217 code like USD")
    }
    return Money(micros: micros, currency: currency)
  }

  private func multiplied(_ money: Money?, _ count: Int128) throws(UnreadableAnswer) -> Money? {
    guard let money else { return nil }
    guard (money.micros * count).magnitude <= AppleReportRow.largestAmount else {
      throw fault(.price, "times \(columns.name(.units)) is too large")
    }
    return Money(micros: money.micros * count, currency: money.currency)
  }

  private func fault(_ field: AppleReportField, _ what: String) -> UnreadableAnswer {
    UnreadableAnswer(reason: "\(columns.name(field)) \(what)")
  }

  static func trimmed(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let space = UInt8(ascii: " ")
    let rest = field.drop { $0 == space }
    return rest[..<((rest.lastIndex { $0 != space } ?? rest.startIndex - 1) + 1)]
  }

  private static func units(_ bytes: ArraySlice<UInt8>) -> Int64? {
    micros(bytes, places: 0).map { $0 / 1_000_000 }
  }

  /// Parses a decimal without rounding, and returns it in millionths.
  private static func micros(_ bytes: ArraySlice<UInt8>, places: Int = 6) -> Int64? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    let digits = isNegative ? bytes.dropFirst() : bytes
    let point = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.endIndex
    let (whole, fraction) = (digits[..<point], digits[point...].dropFirst())
    guard (1...9).contains(whole.count), fraction.count <= places,
      point == digits.endIndex || !fraction.isEmpty
    else { return nil }
    var number: Int64 = 0
    for byte in whole + fraction {
      guard (0x30...0x39).contains(byte) else { return nil }
      number = number * 10 + Int64(byte - 0x30)
    }
    for _ in fraction.count..<6 { number *= 10 }
    return isNegative ? -number : number
  }
}

extension Money {
  fileprivate var magnitude: Money { Money(micros: micros.magnitude, currency: currency) }
}
