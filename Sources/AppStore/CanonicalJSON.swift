/// A JSON value in a form that white space and the order of keys do not change. Made to be hashed, not to be read.
struct CanonicalJSON {
  private(set) var text = ""

  /// - Parameter omitted: members of the outermost object that are omitted out.
  init(_ value: JSONValue, without omitted: [WireName] = []) {
    switch value.kind {
    case .null: text = "n"
    case .yes: text = "t"
    case .no: text = "f"
    case .object where !value.node.hasBrokenName: add(value, without: omitted)
    case .array:
      text = "["
      for element in value.elements { text += CanonicalJSON(element).text }
      text += "]"
    default:
      switch (value.string, value.number) {
      case (let string?, _): add("s", string)
      case (_, .whole(let number)?): add("i", String(number))
      case (_, .other(let number)?): add("d", String(number))
      // What cannot be read is all alike; Apple sends none.
      default: add("d", "")
      }
    }
  }

  private mutating func add(_ object: JSONValue, without omitted: [WireName]) {
    let members = Dictionary(object.members, uniquingKeysWith: { first, _ in first })
    let names = members.keys.sorted()
    text = "{"
    for name in names where !omitted.contains(where: { "\($0.text)" == name }) {
      guard let member = members[name] else { continue }
      add("k", name)
      text += CanonicalJSON(member).text
    }
    text += "}"
  }

  /// With its length, so that no text can pass for two.
  private mutating func add(_ kind: String, _ content: String) {
    text += "\(kind)\(content.utf8.count):\(content)"
  }
}

extension JSONValue {
  /// Of an object.
  fileprivate var members: [(String, JSONValue)] {
    var members: [(String, JSONValue)] = []
    var place = index + 1
    while place < Int(node.end) {
      let name = tape.nodes[place]
      members.append(
        (JSONText.read(tape.bytes[name.range], name.traits) ?? "", JSONValue(tape: tape, index: place + 1)))
      place = tape.next(after: place + 1)
    }
    return members
  }
}
