import Subscriptions

/// Members as Apple means them, whichever of its forms they have.
extension JSONObject {
  /// Nil where the member is missing, null or an empty string.
  package func text(_ name: WireName) throws(Misread) -> String? {
    guard let member = self[name] else { return nil }
    if let plain = member.plain {
      try check(plain.count, of: name)
      guard !plain.isEmpty else { return nil }
      return try checked(String(decoding: plain, as: UTF8.self), of: name)
    }
    let text = try reading(name) { () throws(Misread) in
      try member.kind == .number && name.isExact ? member.idText() : member.lenientText()
    }
    guard !text.isEmpty else { return nil }
    guard !text.utf8.contains(0) else { throw Misread(.misfit(.nul)).under(name) }
    try check(text.utf8.count, of: name)
    return try checked(text, of: name)
  }

  /// The second where the first says nothing.
  func text(_ name: WireName, or other: WireName) throws(Misread) -> String? {
    if let text = try text(name) { return text }
    return try text(other)
  }

  func requiredText(_ name: WireName) throws(Misread) -> String {
    guard let text = try text(name) else { throw Misread(.missing).under(name) }
    return text
  }

  /// A text and nothing else; nil where it is missing or null.
  package func string(_ name: WireName) throws(Misread) -> String? {
    guard let member = self[name] else { return nil }
    guard member.kind == .text else { throw Misread(.wrongType).under(name) }
    guard let string = member.string else { throw Misread(.broken) }
    try check(string.utf8.count, of: name)
    return string
  }

  private func check(_ bytes: Int, of name: WireName) throws(Misread) {
    guard let breach = FieldLimits.breach(byBytes: bytes, over: name.longest) else { return }
    throw Misread(.limit(breach)).under(name)
  }

  /// Refuses a blank id. Nearly all begin with a letter or a digit, and are not looked at twice.
  private func checked(_ text: String, of name: WireName) throws(Misread) -> String {
    guard let first = text.utf8.first, !(0x21...0x7E).contains(first), name.isID, BlankValue.isBlank(text)
    else { return text }
    throw Misread(.limit("is blank")).under(name)
  }

  /// 1 where the member is missing.
  func quantity() throws(Misread) -> Int64 {
    guard let text = try text(.quantity) else { return 1 }
    guard let quantity = Int64(text), FieldLimits.quantity.contains(quantity) else {
      let limits = (FieldLimits.quantity.lowerBound, FieldLimits.quantity.upperBound)
      throw Misread(.limit("is not a whole number from \(limits.0) to \(limits.1)")).under(.quantity)
    }
    return quantity
  }

  /// "true"/"false", "1"/"0", booleans and numbers; anything else is an error, since a guess would change a state.
  func flag(_ name: WireName) throws(Misread) -> Bool? {
    switch self[name]?.kind {
    case nil: return nil
    case .yes: return true
    case .no: return false
    default: break
    }
    switch try text(name)?.lowercased() {
    case nil: return nil
    case "true", "1", "1.0": return true
    case "false", "0", "0.0": return false
    default: throw Misread(.misfit(.neitherTrueNorFalse)).under(name)
    }
  }

  /// The second where the first says nothing.
  func flag(_ name: WireName, or other: WireName) throws(Misread) -> Bool? {
    if let flag = try flag(name) { return flag }
    return try flag(other)
  }

  /// Apple's three forms of a date: the `_ms` field, or where that is missing the text, which iOS 6 style answers
  /// fill with milliseconds.
  func instant(_ milliseconds: WireName, orText text: WireName) throws(Misread) -> Instant? {
    if let instant = try instant(milliseconds) { return instant }
    return milliseconds == text ? nil : try instant(text)
  }

  private func instant(_ name: WireName) throws(Misread) -> Instant? {
    if let digits = self[name]?.plain, let instant = Instant(appleDigits: digits) {
      return try checked(instant, of: name)
    }
    guard let text = try text(name) else { return nil }
    guard let instant = Instant(appleText: text) else { throw Misread(.misfit(.noDate)).under(name) }
    return try checked(instant, of: name)
  }

  private func checked(_ instant: Instant, of name: WireName) throws(Misread) -> Instant {
    guard let breach = FieldLimits.breach(by: instant) else { return instant }
    throw Misread(.limit(breach)).under(name)
  }
}

extension Instant {
  /// Milliseconds as Apple writes them; nil where they are written in another way, or reach beyond the year 2286.
  fileprivate init?(appleDigits digits: ArraySlice<UInt8>) {
    guard (1...13).contains(digits.count) else { return nil }
    var milliseconds: Int64 = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      milliseconds = milliseconds * 10 + Int64(digit - 0x30)
    }
    self.init(milliseconds: milliseconds)
  }

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
