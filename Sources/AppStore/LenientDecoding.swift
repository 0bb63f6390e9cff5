import Subscriptions

/// Reads fields of Apple's objects, whose encoding differs between answers from different years.
extension KeyedDecodingContainer<WireName> {
  /// Returns a text, number or Boolean as text; `nil` if the field is missing, null or empty.
  package func text(_ key: Key) throws -> String? {
    let text: String
    do {
      guard let string = try decodeIfPresent(String.self, forKey: key) else { return nil }
      text = string
    } catch {
      text = try otherText(key)
    }
    guard !text.isEmpty else { return nil }
    // SQLite would truncate the text at the NUL byte.
    if text.utf8.contains(0) { throw refusal(key, "cannot be read: it contains a NUL byte") }
    try checkLength(text, key)
    if let fault = key.fault(of: text) { throw refusal(key, fault) }
    return text
  }

  private func otherText(_ key: Key) throws -> String {
    if let flag = try? decode(Bool.self, forKey: key) {
      guard !key.isExact else { throw refusal(key, "is true or false, not an id") }
      return flag ? "true" : "false"
    }
    if !key.isExact, let integer = try? decode(Int64.self, forKey: key) { return String(integer) }
    let number: Double
    do {
      number = try decode(Double.self, forKey: key)
    } catch let error as DecodingError {
      throw error
    } catch {
      // The decoder throws other errors only for numbers outside the range of `Double`.
      number = .infinity
    }
    // `StrictJSON` has quoted the whole numbers in id fields, so this number is not whole.
    guard !key.isExact else {
      throw refusal(
        key, "is a number with a decimal point or an exponent and may have lost digits; write the id as text")
    }
    guard number.isFinite else { throw refusal(key, "is a number that is too large") }
    return String(number)
  }

  func requiredText(_ key: Key) throws -> String {
    guard let text = try text(key) else { throw refusal(key, "is missing") }
    return text
  }

  package func string(_ key: Key) throws -> String? {
    let text = try decodeIfPresent(String.self, forKey: key)
    if let text { try checkLength(text, key) }
    return text
  }

  private func checkLength(_ text: String, _ key: Key) throws {
    guard let breach = FieldLimits.breach(byBytes: text.utf8.count, over: key.longest) else { return }
    throw refusal(key, breach)
  }

  /// Returns a Boolean from true, false, 1 or 0, also as text; `nil` if missing, null or empty, else throws.
  func flag(_ key: Key) throws -> Bool? {
    switch try text(key)?.lowercased() {
    case nil: return nil
    case "true", "1", "1.0": return true
    case "false", "0", "0.0": return false
    default: throw refusal(key, "cannot be read: it is neither true nor false")
    }
  }

  /// Returns the date in `milliseconds`, or else in `text`; either field may have milliseconds or a text.
  func instant(_ milliseconds: Key, orText text: Key) throws -> Instant? {
    for key in [milliseconds, text] {
      guard let text = try self.text(key) else { continue }
      guard let instant = Instant(appleText: text) else {
        throw refusal(key, "cannot be read: it is not a date")
      }
      if let breach = FieldLimits.breach(by: instant) { throw refusal(key, breach) }
      return instant
    }
    return nil
  }

  /// Returns the elements of an array, or the single object that old answers contain instead of an array.
  func list<Element: Decodable>(_ key: Key) throws -> [Element]? {
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    guard var array = try? nestedUnkeyedContainer(forKey: key) else {
      return [try decode(Element.self, forKey: key)]
    }
    var elements: [Element] = []
    while !array.isAtEnd {
      guard elements.count < key.most else {
        throw refusal(key, "has more than \(FieldLimits.grouped(key.most)) elements", isTooLong: true)
      }
      elements.append(try array.decode(Element.self))
    }
    return elements
  }

  func refusal(_ key: Key, _ words: String, isTooLong: Bool = false) -> UnreadableAnswer {
    UnreadableAnswer(reason: "\(DecodingProblem.path(codingPath + [key])) \(words)", isTooLong: isTooLong)
  }
}

extension Instant {
  /// Reads milliseconds, or text such as `2026-11-21 09:05:00 Etc/GMT`.
  fileprivate init?(appleText text: String) {
    if let milliseconds = Int64(text) {
      // Dates after the year 9999 could overflow. Only forged receipts contain them.
      guard milliseconds.magnitude < 253_402_300_800_000 else { return nil }
      self.init(milliseconds: milliseconds)
      return
    }
    let zone = " Etc/GMT"
    self.init(parsing: text.hasSuffix(zone) ? String(text.dropLast(zone.count)) : text)
  }
}

/// Answer or notification from a file: bare, or the member `response` or `notification` of an object.
struct Kept<Body: Decodable>: Decodable {
  let appUserID: AppUserID?
  let observedAt: Instant?
  let body: Body

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: WireName.self)
    guard let envelope = [WireName.response, .notification].first(where: values.contains) else {
      (appUserID, observedAt, body) = (nil, nil, try Body(from: decoder))
      return
    }
    appUserID = try values.text(.appUserID).map(AppUserID.init)
    observedAt = try values.instant(.observedAtMilliseconds, orText: .observedAtMilliseconds)
    body = try values.decode(Body.self, forKey: envelope)
  }
}
