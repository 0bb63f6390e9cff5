import Subscriptions
import SwiftCSV

/// The price catalogue as CSV, one dated price a line.
public enum CatalogFile {
  public static let header = [
    "product_id", "subscription_group_id", "level", "period", "offer", "price", "currency", "valid_from",
  ]

  public static func read(_ bytes: [UInt8]) -> Reading<CatalogEntry> {
    var reading = Reading<CatalogEntry>()
    var lines = Array(Lines(bytes: bytes))[...]
    guard let first = lines.popFirst() else {
      reading.bad(1, "the file is empty")
      return reading
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      reading.bad(1, "it is not UTF-8 text")
      return reading
    }
    guard (try? fields(of: first.text)) == header else {
      reading.bad(first.number, "the header is not \(header.joined(separator: ","))")
      return reading
    }
    var seen: Set<CatalogKey> = []
    for (number, text) in lines {
      do throws(BadField) {
        let entry = try CatalogLine(try fields(of: text)).entry()
        guard seen.insert(CatalogKey(entry)).inserted else {
          throw BadField(reason: "the product has this offer and valid_from twice")
        }
        reading.take(entry, from: number)
      } catch {
        reading.bad(number, error.reason)
      }
    }
    return reading
  }

  /// Each line is parsed by itself: no field holds a line break, and a stray quote is to spoil no other line.
  private static func fields(of line: ArraySlice<UInt8>) throws(BadField) -> [String] {
    // The store would end the text there.
    guard !line.contains(0) else { throw BadField(reason: "it holds a NUL") }
    let text = String(decoding: line, as: UTF8.self) + "\n"
    guard let csv = try? CSV<Enumerated>(string: text, delimiter: .comma, loadColumns: false) else {
      throw BadField(reason: "a quote stands where none may be")
    }
    guard csv.header.last?.last?.isNewline != true else {
      throw BadField(reason: "a quote is not closed")
    }
    guard csv.rows.isEmpty else { throw BadField(reason: "a line break stands within it") }
    return csv.header.map(trimmed)
  }

  private static func trimmed(_ text: String) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
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

private struct BadField: Error {
  let reason: String
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

  private func level() throws(BadField) -> Int? {
    guard !fields[2].isEmpty else { return nil }
    guard let level = Int(fields[2]), level >= 1 else {
      throw BadField(reason: "level is not a whole number from 1, the highest")
    }
    return level
  }

  /// A decimal with `.` to micros, exactly.
  private func price() throws(BadField) -> Int64 {
    let parts = fields[5].split(separator: ".", omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? parts[1] : ""
    guard (1...2).contains(parts.count), !parts[0].isEmpty, parts[0].utf8.count <= 9,
      fraction.utf8.count <= 6,
      parts.count == 1 || !fraction.isEmpty,
      (parts[0] + fraction).utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let micros = Int64(parts[0] + fraction + String(repeating: "0", count: 6 - fraction.utf8.count))
    else { throw BadField(reason: "price is not a decimal like 9.99, with at most six places") }
    return micros
  }

  private func currency() throws(BadField) -> CurrencyCode {
    guard fields[6].utf8.count == 3, fields[6].utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
      throw BadField(reason: "currency is not an ISO 4217 code like USD")
    }
    return CurrencyCode(fields[6])
  }

  private func validFrom() throws(BadField) -> Instant? {
    guard !fields[7].isEmpty else { return nil }
    guard let date = CivilDate(parsing: fields[7]) else {
      throw BadField(reason: "valid_from is not a date like 2026-01-31")
    }
    return Instant(startOf: date)
  }
}
