import FoundationEssentials

/// JSON decoder that, unlike Foundation's, rejects duplicate names and keeps all digits of numeric ids.
package enum StrictJSON {
  /// Decodes JSON; error messages call the outermost value `whole`.
  package static func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from bytes: [UInt8], as whole: String
  ) throws(UnreadableAnswer) -> Value {
    if let fault = encodingFault(of: bytes) { throw UnreadableAnswer(reason: "it \(fault)") }
    let scan = JSONScan(bytes)
    let value: Value
    do {
      value = try JSONDecoder().decode(type, from: Data(scan.quotingIDs()))
    } catch let error as UnreadableAnswer {
      throw error
    } catch {
      throw UnreadableAnswer(reason: DecodingProblem.text(error, whole: whole))
    }
    guard !scan.hasRepetition else { throw UnreadableAnswer(reason: "it \(repetition)") }
    return value
  }

  private static let repetition = "has a duplicate key"

  /// Returns a fault that `JSONDecoder` does not report, as a phrase about the JSON; `nil` if there is none.
  static func fault(in bytes: [UInt8]) -> String? {
    encodingFault(of: bytes) ?? (JSONScan(bytes).hasRepetition ? repetition : nil)
  }

  /// Returns why bytes are not UTF-8, the only encoding that `JSONScan` can read; `nil` if they are.
  private static func encodingFault(of bytes: [UInt8]) -> String? {
    if bytes.contains(0) { return "contains a NUL byte, or is in UTF-16 or UTF-32 instead of UTF-8" }
    return (try? UTF8Span(validating: bytes.span)) == nil ? "is not UTF-8 text" : nil
  }
}

/// Scan of JSON for duplicate member names and numeric ids; only the decoder reports invalid JSON.
private struct JSONScan {
  private let bytes: [UInt8]
  private(set) var hasRepetition = false
  /// Byte ranges of whole numbers that are ids.
  private var ids: [Range<Int>] = []

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
  /// Nesting depth at which the scan ends; the decoder rejects depths above 512.
  private static let deepest = 600

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    /// Start offsets of the objects and arrays that enclose the current byte.
    var open: [Int] = []
    /// Hashes of all member names, each combined with the start offset of its object.
    var names: Set<Int> = []
    var (text, name): (ArraySlice<UInt8>, ArraySlice<UInt8>?) = ([], nil)
    var place = 0
    while place < bytes.count {
      let start = place
      place += 1
      switch bytes[start] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open.append(start)
        name = nil
        if open.count == Self.deepest { return }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
      case UInt8(ascii: ","): name = nil
      case UInt8(ascii: ":"):
        name = Self.unescaped(text)
        guard let name, let object = open.last else { break }
        hasRepetition = !names.insert(Self.hash(name, in: object)).inserted || hasRepetition
      case Self.quote:
        while place < bytes.count, bytes[place] != Self.quote {
          place += bytes[place] == Self.backslash ? 2 : 1
        }
        text = bytes[start + 1..<min(place, bytes.count)]
        place += 1
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        place = bytes[place...].firstIndex { !"+-.eE0123456789".utf8.contains($0) } ?? bytes.count
        let field = name.flatMap { WireName(rawValue: String(decoding: $0, as: UTF8.self)) }
        if field?.isExact == true, Self.isWhole(bytes[start..<place]) { ids.append(start..<place) }
      default: break
      }
    }
  }

  private static func hash(_ name: ArraySlice<UInt8>, in object: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(object)
    name.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  /// Returns the JSON with quotes around numeric ids, because the decoder would round large numbers.
  func quotingIDs() -> [UInt8] {
    guard !ids.isEmpty else { return bytes }
    var (quoted, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes[...])
    for id in ids {
      quoted += rest[..<id.lowerBound] + [Self.quote] + bytes[id] + [Self.quote]
      rest = rest[id.upperBound...]
    }
    return quoted + rest
  }

  /// Returns a name with its escapes decoded: `st\u0061tus` becomes `status`.
  private static func unescaped(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard name.contains(backslash) else { return name }
    let text = try? JSONDecoder().decode(String.self, from: Data([quote] + name + [quote]))
    return text.map { Array($0.utf8)[...] }
  }

  private static func isWhole(_ number: ArraySlice<UInt8>) -> Bool {
    let digits = number.first == UInt8(ascii: "-") ? number.dropFirst() : number
    let isUnpadded = digits.count == 1 || digits.first.map { $0 != 0x30 } ?? false
    return isUnpadded && digits.allSatisfy { (0x30...0x39).contains($0) }
  }
}

/// Reason why a body cannot be read; it names the field and never quotes the content.
public struct UnreadableAnswer: Error, Hashable, Sendable, CustomStringConvertible {
  public let reason: String
  /// Whether a list in the body is too long, so that repeating the request soon would not help.
  public let isTooLong: Bool

  public init(reason: String, isTooLong: Bool = false) { (self.reason, self.isTooLong) = (reason, isTooLong) }

  public var description: String { reason }
}

/// Messages for decoder errors, because the decoder's own messages may quote a receipt.
enum DecodingProblem {
  static func text(_ error: any Error, whole: String = "the payload") -> String {
    func name(_ path: [any CodingKey]) -> String { path.isEmpty ? whole : self.path(path) }
    return switch error {
    case let problem as WholeNumber.Problem:
      "\(name(problem.path)) is not a whole number, or exceeds its limit"
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

/// 64-bit whole number whose errors about fractions and range, unlike `JSONDecoder`'s, name the field.
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

// Synthesized initializers call these overloads instead of the standard library's methods.
extension KeyedDecodingContainer {
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try decode(WholeNumber.self, forKey: key).value
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try decodeIfPresent(WholeNumber.self, forKey: key)?.value
  }
}
