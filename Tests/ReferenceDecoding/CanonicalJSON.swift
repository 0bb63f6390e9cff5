/// A JSON value in a form that white space and the order of keys do not change. Made to be hashed, not to be read.
struct CanonicalJSON: Decodable {
  private(set) var text = ""

  private struct Name: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws { try self.init(from: decoder, without: []) }

  /// - Parameter left: members of the outermost object that are left out.
  init(from decoder: any Decoder, without left: Set<String>) throws {
    let scalar = try decoder.singleValueContainer()
    if let string = try? scalar.decode(String.self) {
      add("s", string)
    } else if scalar.decodeNil() {
      text = "n"
    } else if let members = try? decoder.container(keyedBy: Name.self) {
      try add(members, without: left)
    } else if var elements = try? decoder.unkeyedContainer() {
      text = "["
      while !elements.isAtEnd { text += try elements.decode(CanonicalJSON.self).text }
      text += "]"
    } else {
      add(scalar)
    }
  }

  private mutating func add(_ members: KeyedDecodingContainer<Name>, without left: Set<String>) throws {
    let names = members.allKeys.sorted { $0.stringValue < $1.stringValue }
    text = "{"
    for name in names where !left.contains(name.stringValue) {
      add("k", name.stringValue)
      text += try members.decode(CanonicalJSON.self, forKey: name).text
    }
    text += "}"
  }

  private mutating func add(_ scalar: any SingleValueDecodingContainer) {
    if let integer = try? scalar.decode(Int64.self) {
      add("i", String(integer))
    } else if let flag = try? scalar.decode(Bool.self) {
      text = flag ? "t" : "f"
    } else {
      // Numbers beyond doubles are all alike; Apple sends none.
      add("d", (try? scalar.decode(Double.self)).map { String($0) } ?? "")
    }
  }

  /// With its length, so that no text can pass for two.
  private mutating func add(_ kind: String, _ content: String) {
    text += "\(kind)\(content.utf8.count):\(content)"
  }
}
