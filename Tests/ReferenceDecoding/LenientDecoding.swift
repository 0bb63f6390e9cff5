import AppStore
import FoundationEssentials
import Subscriptions

/// What is wrong with a value. The decoder's own words may quote the value, which may be a receipt: they are not used.
enum Misfit: String {
  case neitherTrueNorFalse = "it is neither true nor false"
  /// SQLite ends text at a NUL: what is read would not be what was written.
  case nul = "it holds a NUL"
  case noDate = "it is not a date"
  case noNumber = "it is not a number"
  case repeatedMember = "it has a member twice"
}

extension KeyedDecodingContainer {
  func misfit(_ misfit: Misfit, _ key: Key) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: misfit.rawValue)
  }

  func limit(_ words: String, _ key: Key) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: Limit.mark + words)
  }

  /// What a text has to be shorter than, by the table that the product has.
  func checkLength(_ text: String, _ key: Key) throws {
    let longest = Limit.name(key)?.longest ?? FieldLimits.text
    guard text.utf8.count > longest else { return }
    throw limit(
      longest == FieldLimits.receipt ? "is longer than 8 MiB" : "is longer than \(longest) bytes", key)
  }
}

/// Of what a field may be at the most.
enum Limit {
  /// Before the words, which go on after the name of the field.
  static let mark = "limit: "

  static func name(_ key: any CodingKey) -> WireName? {
    WireName.allCases.first { "\($0.text)" == key.stringValue }
  }
}

/// A JSON string, number or boolean as text: Apple sends flags and numbers in all three forms.
struct LenientText: Decodable {
  let text: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let string = try? container.decode(String.self) {
      text = string
    } else if let integer = try? container.decode(Int64.self) {
      text = String(integer)
    } else if let flag = try? container.decode(Bool.self) {
      text = flag ? "true" : "false"
    } else {
      text = String(try container.decode(Double.self))
    }
  }
}

/// An array, or the one object that old answers have in its place.
struct OneOrMany<Element: Decodable>: Decodable {
  let elements: [Element]

  init(from decoder: any Decoder) throws {
    guard var array = try? decoder.unkeyedContainer() else {
      elements = [try Element(from: decoder)]
      return
    }
    let most = decoder.codingPath.last.flatMap(Limit.name)?.most ?? 0
    var elements: [Element] = []
    while !array.isAtEnd {
      guard elements.count < most else {
        throw DecodingError.dataCorrupted(
          .init(
            codingPath: decoder.codingPath,
            debugDescription: "\(Limit.mark)has more than \(FieldLimits.grouped(most)) elements"))
      }
      elements.append(try array.decode(Element.self))
    }
    self.elements = elements
  }
}

extension KeyedDecodingContainer {
  /// Nil where the key is missing, null or an empty string.
  func text(_ key: Key) throws -> String? {
    guard let text = try decodeIfPresent(LenientText.self, forKey: key)?.text, !text.isEmpty else {
      return nil
    }
    guard !text.utf8.contains(0) else {
      throw misfit(.nul, key)
    }
    try checkLength(text, key)
    if Limit.name(key)?.isID == true, BlankValue.isBlank(text) { throw limit("is blank", key) }
    return text
  }

  func requiredText(_ key: Key) throws -> String {
    guard let text = try text(key) else {
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "it is missing"))
    }
    return text
  }

  /// "true"/"false", "1"/"0", booleans and numbers; anything else is an error, since a guess would change a state.
  func flag(_ key: Key) throws -> Bool? {
    switch try text(key)?.lowercased() {
    case nil: return nil
    case "true", "1", "1.0": return true
    case "false", "0", "0.0": return false
    default: throw misfit(.neitherTrueNorFalse, key)
    }
  }

  /// Apple's three forms of a date: the `_ms` field, or where that is missing the text, which iOS 6 style answers
  /// fill with milliseconds.
  func instant(_ milliseconds: Key, orText text: Key) throws -> Instant? {
    for key in [milliseconds, text] {
      guard let value = try self.text(key) else { continue }
      guard let instant = Instant(appleText: value) else { throw misfit(.noDate, key) }
      guard instant >= FieldLimits.earliest else {
        throw limit("is before 2008-07-10, when the App Store opened", key)
      }
      guard instant <= FieldLimits.latest else { throw limit("is after 2099-12-31", key) }
      return instant
    }
    return nil
  }
}

extension Instant {
  /// Reads milliseconds, or `2026-11-21 09:05:00 Etc/GMT`.
  init?(appleText text: String) {
    if let milliseconds = Int64(text) {
      // Year 9999: beyond it lie forged receipts, and arithmetic that no figure needs.
      guard milliseconds.magnitude < 253_402_300_800_000 else { return nil }
      self.init(milliseconds: milliseconds)
      return
    }
    let zone = " Etc/GMT"
    self.init(parsing: text.hasSuffix(zone) ? String(text.dropLast(zone.count)) : text)
  }
}
