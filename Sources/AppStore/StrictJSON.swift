import FoundationEssentials

/// Foundation's JSON decoder with three differences: it refuses duplicate members, refuses invalid JSON that
/// Foundation accepts (`JSONScan.fault`), and keeps all digits of numeric ids.
package enum StrictJSON {
  /// - Parameter whole: name of the value for messages.
  package static func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from bytes: [UInt8], as whole: String
  ) throws(UnreadableAnswer) -> Value {
    let scan = JSONScan(bytes)
    if let fault = scan.fault { throw UnreadableAnswer(reason: fault) }
    let value: Value
    do {
      value = try JSONDecoder().decode(type, from: Data(scan.quotingIDs()))
    } catch let error as UnreadableAnswer {
      throw error
    } catch {
      throw UnreadableAnswer(reason: DecodingProblem.text(error, whole: whole))
    }
    guard !scan.hasRepetition else { throw UnreadableAnswer(reason: repetition) }
    return value
  }

  /// Fault of an object with two members of the same name.
  static let repetition = "it has a member twice"

  /// Fault of JSON that the decoder does not report; `nil` if it has none.
  static func fault(in bytes: [UInt8]) -> String? {
    let scan = JSONScan(bytes, readsAll: true)
    return scan.fault ?? (scan.hasRepetition ? repetition : nil)
  }
}

/// Scanner for errors that the decoder does not report, or reports with another reason. The decoder finds all
/// other errors.
private struct JSONScan {
  private let bytes: [UInt8]
  private(set) var hasRepetition = false
  /// First other fault, in words that quote no more than the name of a known field.
  private(set) var fault: String?
  /// Places of whole numbers that are ids.
  private var ids: [Range<Int>] = []

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
  private static let comma = UInt8(ascii: ",")
  /// Maximum nesting of the decoder.
  private static let deepest = 512

  /// - Parameter readsAll: whether fields without a `WireName` are read too.
  init(_ bytes: [UInt8], readsAll: Bool = false) {
    self.bytes = bytes
    fault = Self.fault(ofEncoding: bytes)
    /// Places where the objects and arrays around the current place begin.
    var open: [Int] = []
    /// Hashes of all member names, each combined with the place of its object.
    var names: Set<Int> = []
    var (text, name): (ArraySlice<UInt8>, ArraySlice<UInt8>?) = ([], nil)
    var (place, last) = (0, Self.quote)
    while place < bytes.count, fault == nil {
      let start = place
      place += 1
      defer { if bytes[start] > 0x20 { last = bytes[start] } }
      switch bytes[start] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open.append(start)
        name = nil
        if open.count > Self.deepest { fault = "it is nested more than \(Self.deepest) deep" }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        _ = open.popLast()
        if last == Self.comma { fault = "a comma in it stands before a closing bracket" }
      case Self.comma: name = nil
      case UInt8(ascii: ":"):
        name = Self.unescaped(text)
        guard let name, let object = open.last else { break }
        hasRepetition = !names.insert(Self.hash(name, in: object)).inserted || hasRepetition
      case Self.quote:
        while place < bytes.count, bytes[place] != Self.quote {
          if bytes[place] < 0x20 { fault = "a text in it has a control character that is not escaped" }
          place += bytes[place] == Self.backslash ? escape(at: place) : 1
        }
        text = bytes[start + 1..<min(place, bytes.count)]
        place += 1
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        place = bytes[place...].firstIndex { !"+-.eE0123456789".utf8.contains($0) } ?? bytes.count
        let field = name.flatMap { WireName(rawValue: String(decoding: $0, as: UTF8.self)) }
        let number = bytes[start..<place]
        let isQuantity = field.map { !$0.isExact } ?? readsAll
        let fault =
          Self.beginsWithZero(number)
          ? "begins with 0, as no number in JSON does; write an id as text"
          : !Self.isNumber(number)
            ? "is no number in JSON"
            : isQuantity && Self.isRounded(number) ? "has more digits than can be kept" : nil
        self.fault = fault.map { "\(field?.rawValue ?? "a number in it") \($0)" }
        if field?.isExact == true, Self.isWhole(number) { ids.append(start..<place) }
      default: break
      }
    }
  }

  /// Returns the length of an escape, and records its fault. The decoder reports incomplete escapes.
  private mutating func escape(at place: Int) -> Int {
    let rest = bytes[(place + 1)...]
    guard rest.first == UInt8(ascii: "u") else {
      if let kind = rest.first, !#""\/bfnrt"#.utf8.contains(kind) {
        fault = "a text in it has an escape that JSON does not have"
      }
      return 2
    }
    func unit(_ digits: ArraySlice<UInt8>) -> UInt16? {
      digits.allSatisfy { Self.isDigit($0) || (0x61...0x66).contains($0 | 0x20) }
        ? UInt16(String(decoding: digits, as: UTF8.self), radix: 16) : nil
    }
    guard rest.count > 4 else { return 2 }
    guard let first = unit(rest.dropFirst().prefix(4)) else {
      fault = "a text in it has an escape that JSON does not have"
      return 2
    }
    guard UTF16.isSurrogate(first) else { return 6 }
    let second = rest.dropFirst(5)
    guard second.count > 5 || UTF16.isTrailSurrogate(first) || !second.starts(with: [Self.backslash]) else {
      return 6
    }
    guard UTF16.isLeadSurrogate(first), second.starts(with: [Self.backslash, UInt8(ascii: "u")]),
      let low = unit(second.dropFirst(2).prefix(4)), UTF16.isTrailSurrogate(low)
    else {
      fault = "a text in it has half of a surrogate pair"
      return 6
    }
    return 12
  }

  private static func hash(_ name: ArraySlice<UInt8>, in object: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(object)
    name.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  /// Returns the bytes with quotes around ids, because the decoder rounds large numbers.
  func quotingIDs() -> [UInt8] {
    guard !ids.isEmpty else { return bytes }
    var (quoted, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes[...])
    for id in ids {
      quoted += rest[..<id.lowerBound] + [Self.quote] + bytes[id] + [Self.quote]
      rest = rest[id.upperBound...]
    }
    return quoted + rest
  }

  /// Returns a name without escapes, as the decoder reads it: `st\u0061tus` is `status`.
  private static func unescaped(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard name.contains(backslash) else { return name }
    let text = try? JSONDecoder().decode(String.self, from: Data([quote] + name + [quote]))
    return text.map { Array($0.utf8)[...] }
  }

  /// Whether a number is `-?(0|[1-9][0-9]*)`.
  private static func isWhole(_ number: ArraySlice<UInt8>) -> Bool {
    let digits = number.first == UInt8(ascii: "-") ? number.dropFirst() : number
    return digits.allSatisfy(isDigit) && (digits.count == 1 || digits.first.map { $0 > 0x30 } == true)
  }

  /// Whether a number is valid JSON, apart from leading zeros.
  private static func isNumber(_ number: ArraySlice<UInt8>) -> Bool {
    var rest = number
    func hasDigits() -> Bool {
      let count = rest.prefix(while: isDigit).count
      rest = rest.dropFirst(count)
      return count > 0
    }
    func hasSkipped(_ characters: String) -> Bool {
      guard let first = rest.first, characters.utf8.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    _ = hasSkipped("-")
    guard hasDigits() else { return false }
    if hasSkipped("."), !hasDigits() { return false }
    if hasSkipped("eE") {
      _ = hasSkipped("+-")
      if !hasDigits() { return false }
    }
    return rest.isEmpty
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func fault(ofEncoding bytes: [UInt8]) -> String? {
    let isWide = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    if isWide || bytes.prefix(4).contains(0) { return "it is in UTF-16 or UTF-32 instead of UTF-8" }
    if bytes.contains(0) { return "it holds a NUL" }
    return (try? UTF8Span(validating: bytes.span)) == nil ? "it is not UTF-8 text" : nil
  }

  private static func beginsWithZero(_ number: ArraySlice<UInt8>) -> Bool {
    let digits = number.drop { $0 == UInt8(ascii: "-") }
    return digits.first == 0x30 && digits.dropFirst().first.map(isDigit) == true
  }

  /// Whether the decoder would round a number with a point or an exponent to a whole number.
  private static func isRounded(_ number: ArraySlice<UInt8>) -> Bool {
    // A `Double` keeps 15 digits.
    guard number.count(where: isDigit) > 15, !isWhole(number),
      let value = Double(String(decoding: number, as: UTF8.self)), value == value.rounded()
    else { return false }
    let fraction = number.drop { $0 != UInt8(ascii: ".") }.dropFirst()
    return value.magnitude > 0x1p53 || !fraction.allSatisfy { $0 == 0x30 }
  }
}

/// Reason why a body cannot be read, in words that name the field and never quote its content.
public struct UnreadableAnswer: Error, Hashable, Sendable, CustomStringConvertible {
  public let reason: String
  /// Whether the body is over a limit, so that asking again soon would not help.
  public let isTooLong: Bool

  public init(reason: String, isTooLong: Bool = false) {
    (self.reason, self.isTooLong) = (reason, isTooLong)
  }

  public var description: String { reason }
}

/// Reasons for errors of the decoder, whose own descriptions may quote a receipt.
enum DecodingProblem {
  static func text(_ error: any Error, whole: String = "the whole") -> String {
    func name(_ path: [any CodingKey]) -> String { path.isEmpty ? whole : self.path(path) }
    return switch error {
    case let problem as WholeNumber.Problem:
      "\(name(problem.path)) is not a whole number, or is over its limit"
    case DecodingError.keyNotFound(let key, let context): "\(name(context.codingPath + [key])) is missing"
    case DecodingError.valueNotFound(_, let context): "\(name(context.codingPath)) is null"
    case DecodingError.typeMismatch(_, let context): "\(name(context.codingPath)) has the wrong type"
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      "\(name(context.codingPath)) cannot be read"
    default: "it is not complete JSON"
    }
  }

  /// Path of a value, such as `latest_receipt_info[0].product_id`.
  static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce(into: "") { path, key in
      path += key.intValue.map { "[\($0)]" } ?? (path.isEmpty ? "" : ".") + key.stringValue
    }
  }
}

/// A number of 64 bits. `JSONDecoder` does not name the field of one with a fraction or too many digits.
private struct WholeNumber: Decodable {
  struct Problem: Error { let path: [any CodingKey] }

  let value: Int64

  init(from decoder: any Decoder) throws {
    do {
      value = try decoder.singleValueContainer().decode(Int64.self)
    } catch DecodingError.typeMismatch(let type, let context) {
      throw DecodingError.typeMismatch(type, context)
    } catch {
      throw Problem(path: decoder.codingPath)
    }
  }
}

// Synthesized initializers call these instead of the standard library's.
extension KeyedDecodingContainer {
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try decode(WholeNumber.self, forKey: key).value
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try decodeIfPresent(WholeNumber.self, forKey: key)?.value
  }
}
