import FoundationEssentials

/// JSON that says everything once. Of two members with one name the decoder takes either, which would be a guess.
enum StrictJSON {
  static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    // No NUL stands in JSON; where one does it is another encoding, which the decoder would read and the scan would not.
    guard !bytes.contains(0) else { throw Self.corrupted(.nul) }
    let value = try JSONDecoder().decode(type, from: Data(bytes))
    var scan = MemberScan(bytes: bytes)
    guard !scan.findsRepetition() else { throw Self.corrupted(.repeatedMember) }
    return value
  }

  private static func corrupted(_ misfit: Misfit) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: misfit.rawValue))
  }
}

/// Walks over valid JSON and remembers the names of the members of every open object, as hashes.
private struct MemberScan {
  let bytes: [UInt8]
  private var place = 0
  private var open: [Set<UInt64>] = []

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func findsRepetition() -> Bool {
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): open.append([])
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
      case UInt8(ascii: "\""): if let name = name(), !add(name) { return true }
      default: break
      }
    }
    return false
  }

  /// False where the innermost object has it already.
  private mutating func add(_ name: UInt64) -> Bool {
    open.isEmpty || open[open.count - 1].insert(name).inserted
  }

  /// Goes past the text that begins here; its hash where a colon follows, which makes it a name.
  private mutating func name() -> UInt64? {
    let start = place
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325  // FNV-1a
    var isEscaped = false
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      if bytes[place] == UInt8(ascii: "\\") {
        isEscaped = true
        place += 1
      } else {
        hash = (hash ^ UInt64(bytes[place])) &* 0x100_0000_01B3
      }
      place += 1
    }
    let text = bytes[start..<min(place, bytes.count)]
    place += 1
    guard bytes[min(place, bytes.count)...].first(where: { !Self.isBlank($0) }) == UInt8(ascii: ":") else {
      return nil
    }
    return isEscaped ? Self.hashOfEscaped(text) : hash
  }

  /// `st\u0061tus` is `status`.
  private static func hashOfEscaped(_ text: ArraySlice<UInt8>) -> UInt64? {
    let quoted = [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
    guard let name = try? JSONDecoder().decode(String.self, from: Data(quoted)) else { return nil }
    return name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
