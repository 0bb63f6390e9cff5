import FoundationEssentials

/// Foundation's JSON decoder, which by itself accepts members that come twice and rounds large numbers.
package enum StrictJSON {
  /// - Parameter whole: name of the value in the reason if it is wrong as a whole.
  package static func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from bytes: [UInt8], as whole: String
  ) throws(UnreadableAnswer) -> Value {
    // JSON has no NUL. UTF-16 has, which the decoder would read and the scan would not.
    guard !bytes.contains(0) else { throw UnreadableAnswer(reason: "it holds a NUL") }
    let scan = JSONScan(bytes)
    let value: Value
    do {
      value = try JSONDecoder().decode(type, from: Data(scan.quotingIDs()))
    } catch let error as UnreadableAnswer {
      throw error
    } catch {
      throw UnreadableAnswer(reason: DecodingProblem.text(error, whole: whole))
    }
    guard !scan.hasRepetition else { throw UnreadableAnswer(reason: "it has a member twice") }
    return value
  }

  /// Whether an object in JSON has two members of one name.
  static func hasRepetition(in bytes: [UInt8]) -> Bool { JSONScan(bytes).hasRepetition }
}

/// One pass over bytes for what the decoder does not report. Invalid JSON is left to the decoder.
private struct JSONScan {
  private let bytes: [UInt8]
  /// Whether an object has two members of one name.
  private(set) var hasRepetition = false
  /// Places of whole numbers under the name of an id.
  private var ids: [Range<Int>] = []

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
  /// Levels of objects and arrays that the decoder takes.
  private static let deepest = 512

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    /// Places at which objects and arrays begin that are not over.
    var open: [Int] = []
    /// Names of members, each hashed with the place of its object.
    var names: Set<Int> = []
    var (text, name): (ArraySlice<UInt8>, ArraySlice<UInt8>?) = ([], nil)
    var place = 0
    while place < bytes.count, open.count <= Self.deepest {
      let start = place
      place += 1
      switch bytes[start] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open.append(start)
        name = nil
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
        guard let name, Self.isWhole(bytes[start..<place]) else { break }
        if WireName(rawValue: String(decoding: name, as: UTF8.self))?.isExact == true {
          ids.append(start..<place)
        }
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

  /// The bytes with ids as text, which keeps all of their digits.
  func quotingIDs() -> [UInt8] {
    guard !ids.isEmpty else { return bytes }
    var (quoted, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes[...])
    for id in ids {
      quoted += rest[..<id.lowerBound] + [Self.quote] + bytes[id] + [Self.quote]
      rest = rest[id.upperBound...]
    }
    return quoted + rest
  }

  /// A name as the decoder reads it: `st\u0061tus` is `status`.
  private static func unescaped(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard name.contains(backslash) else { return name }
    let text = try? JSONDecoder().decode(String.self, from: Data([quote] + name + [quote]))
    return text.map { Array($0.utf8)[...] }
  }

  /// Whether a number is `-?(0|[1-9][0-9]*)`.
  private static func isWhole(_ number: ArraySlice<UInt8>) -> Bool {
    let digits = number.first == UInt8(ascii: "-") ? number.dropFirst() : number
    return digits.allSatisfy { (0x30...0x39).contains($0) }
      && (digits.count == 1 || digits.first.map { $0 > 0x30 } == true)
  }
}
