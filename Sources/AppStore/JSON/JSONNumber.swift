/// A number of JSON: whole where it is whole and fits, whatever it looks like (`1e3`, `5.0`).
enum JSONNumber: Hashable {
  case whole(Int64)
  case other(Double)

  /// Nil where it is none, or none that a `Double` can be.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard let parts = Parts(bytes) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    if parts.isInteger, let whole = Int64(text) {
      self = .whole(whole)
      return
    }
    guard let double = Double(text), double.isFinite else { return nil }
    guard let whole = Int64(exactly: double) else {
      self = .other(double)
      return
    }
    // Doubles skip whole numbers from 2^53 on.
    let exact = double.magnitude < 0x1p53 ? whole : parts.whole
    self = exact.map(JSONNumber.whole) ?? .other(double)
  }

  /// How a number is written.
  enum Written {
    /// Digits alone, without a point or an exponent.
    case digits(String)
    case inexact
  }

  /// Returns `nil` if the bytes are no number.
  static func digits(_ bytes: ArraySlice<UInt8>) -> Written? {
    guard let parts = Parts(bytes) else { return nil }
    guard parts.isInteger else { return .inexact }
    let text = String(decoding: bytes, as: UTF8.self)
    // `-0` is 0.
    return .digits(Int64(text).map(String.init) ?? text)
  }

  var text: String {
    switch self {
    case .whole(let number): String(number)
    case .other(let number): String(number)
    }
  }
}

/// `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`
private struct Parts {
  var isNegative = false
  var digits: ArraySlice<UInt8> = []
  var fraction: ArraySlice<UInt8> = []
  var exponent = 0
  var isInteger = true

  init?(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    isNegative = Self.take(UInt8(ascii: "-"), from: &rest)
    digits = Self.takeDigits(from: &rest)
    guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
    if Self.take(UInt8(ascii: "."), from: &rest) {
      isInteger = false
      fraction = Self.takeDigits(from: &rest)
      guard !fraction.isEmpty else { return nil }
    }
    if Self.take(UInt8(ascii: "e"), from: &rest) || Self.take(UInt8(ascii: "E"), from: &rest) {
      isInteger = false
      let isSmall = Self.take(UInt8(ascii: "-"), from: &rest)
      if !isSmall { _ = Self.take(UInt8(ascii: "+"), from: &rest) }
      let power = Self.takeDigits(from: &rest)
      guard !power.isEmpty else { return nil }
      // Beyond it everything is zero or too large.
      let size = Int(String(decoding: power.drop { $0 == UInt8(ascii: "0") }.prefix(6), as: UTF8.self)) ?? 0
      exponent = isSmall ? -size : size
    }
    guard rest.isEmpty else { return nil }
  }

  /// The whole number that is nearest towards zero, where it can be had exactly.
  ///
  /// As with a decimal of 128 bits: digits that do not fit are left out, and what is left must fit 64.
  var whole: Int64? {
    var (value, power, isFull): (UInt128, Int, Bool) = (0, exponent, false)
    for (place, digit) in (digits + fraction).enumerated() {
      let isWhole = place < digits.count
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(UInt128(digit &- UInt8(ascii: "0")))
      isFull = isFull || overflow || carry
      if isFull {
        power += isWhole ? 1 : 0
      } else {
        value = sum
        power -= isWhole ? 0 : 1
      }
    }
    while value != 0, value.isMultiple(of: 10) { (value, power) = (value / 10, power + 1) }
    guard (-128...127).contains(power), var magnitude = UInt64(exactly: value) else { return nil }
    for _ in 0..<max(-power, 0) { magnitude /= 10 }
    for _ in 0..<max(power, 0) {
      let (tens, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      magnitude = tens
    }
    return Int64(exactly: magnitude).map { isNegative ? -$0 : $0 }
  }

  private static func take(_ byte: UInt8, from rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.first == byte else { return false }
    rest.removeFirst()
    return true
  }

  private static func takeDigits(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    rest = rest.dropFirst(digits.count)
    return digits
  }
}
