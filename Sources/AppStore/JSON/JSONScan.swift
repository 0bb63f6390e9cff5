/// Goes over bytes once and writes down what stands where: objects and arrays to 512 levels, a comma before a closing
/// bracket let pass, and nothing behind the one value but white space.
struct JSONScan {
  private var cursor: JSONCursor
  private let bytes: [UInt8]
  private var nodes: [JSONNode] = []
  private var open: [Open] = []
  private var hasRepetition = false
  private var hasControl = false

  /// An object or array whose end has not come yet.
  private struct Open {
    var node: Int
    var isObject: Bool
    var names = MemberNames()
  }

  /// What comes next.
  private enum Step { case value, first, name, end, done }

  static let deepest = 512

  /// Nil where it is not JSON.
  static func tape(of bytes: [UInt8]) -> JSONTape? {
    // Larger than any answer, and than what a node can tell.
    guard bytes.count < Int(UInt32.max) else { return nil }
    return bytes.withUnsafeBytes { memory in
      // A byte order mark is not content.
      var scan = JSONScan(bytes, JSONCursor(memory, at: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0))
      guard scan.run() else { return nil }
      return JSONTape(
        bytes: bytes, nodes: scan.nodes, hasRepetition: scan.hasRepetition, hasControl: scan.hasControl)
    }
  }

  private init(_ bytes: [UInt8], _ cursor: JSONCursor) {
    self.bytes = bytes
    self.cursor = cursor
    nodes.reserveCapacity(bytes.count / 16 + 16)
  }

  private mutating func run() -> Bool {
    var step = Step.value
    while step != .done {
      let next: Step? =
        switch step {
        case .value: takeValue()
        case .first: takeFirst()
        case .name: takeName()
        case .end, .done: takeEnd()
        }
      guard let next else { return false }
      step = next
    }
    return cursor.peekPastBlanks() == nil
  }

  private mutating func takeValue() -> Step? {
    let byte = cursor.peekPastBlanks()
    let start = cursor.place
    switch byte {
    case UInt8(ascii: "\""):
      guard takeText(.text) else { return nil }
    case UInt8(ascii: "{"): return begin(.object)
    case UInt8(ascii: "["): return begin(.array)
    case UInt8(ascii: "t"):
      guard take("true", .yes) else { return nil }
    case UInt8(ascii: "f"):
      guard take("false", .no) else { return nil }
    case UInt8(ascii: "n"):
      guard take("null", .null) else { return nil }
    case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte):
      cursor.skipNumber()
      nodes.append(JSONNode(.number, start: start, end: cursor.place))
    default: return nil
    }
    return open.isEmpty ? .done : .end
  }

  private mutating func take(_ word: StaticString, _ kind: JSONNode.Kind) -> Bool {
    nodes.append(JSONNode(kind))
    return cursor.take(word)
  }

  private mutating func begin(_ kind: JSONNode.Kind) -> Step? {
    guard open.count < Self.deepest else { return nil }
    cursor.advance()
    open.append(Open(node: nodes.count, isObject: kind == .object))
    nodes.append(JSONNode(kind))
    return .first
  }

  /// What follows an opening bracket.
  private mutating func takeFirst() -> Step? {
    guard let byte = cursor.peekPastBlanks() else { return nil }
    return isClosing(byte) ? close() : isInObject ? .name : .value
  }

  /// What follows a value.
  private mutating func takeEnd() -> Step? {
    guard let byte = cursor.peekPastBlanks() else { return nil }
    if isClosing(byte) { return close() }
    guard byte == UInt8(ascii: ",") else { return nil }
    cursor.advance()
    // A comma before a closing bracket is let pass: what follows one is read as what follows an opening bracket.
    return takeFirst()
  }

  private var isInObject: Bool { open.last?.isObject == true }

  private func isClosing(_ byte: UInt8) -> Bool {
    byte == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
  }

  private mutating func close() -> Step? {
    guard let closed = open.popLast() else { return nil }
    cursor.advance()
    nodes[closed.node].end = UInt32(nodes.count)
    return open.isEmpty ? .done : .end
  }

  private mutating func takeText(_ kind: JSONNode.Kind) -> Bool {
    cursor.advance()
    var node = JSONNode(kind, start: cursor.place)
    guard let traits = cursor.skipText() else { return false }
    node.end = UInt32(cursor.place - 1)
    node.traits = traits
    hasControl = hasControl || traits.contains(.control)
    nodes.append(node)
    return true
  }

  private mutating func takeName() -> Step? {
    guard cursor.peekPastBlanks() == UInt8(ascii: "\""), takeText(.name) else { return nil }
    note(nodes.count - 1)
    guard cursor.peekPastBlanks() == UInt8(ascii: ":") else { return nil }
    cursor.advance()
    return .value
  }

  /// Remembers a name in its object.
  private mutating func note(_ index: Int) {
    let node = nodes[index]
    var (name, text) = (ArraySlice<UInt8>?.none, String?.none)
    if node.traits.isEmpty {
      name = bytes[node.range]
    } else {
      text = JSONText.read(bytes[node.range], node.traits)
      if text == nil { nodes[open[open.count - 1].node].hasBrokenName = true }
      // One that is no text is told from others by its bytes, as long as they stand for themselves.
      name = node.traits.contains(.escaped) ? text.map { Array($0.utf8)[...] } : bytes[node.range]
    }
    guard let name else { return }
    nodes[index].name = WireName(name)
    if !open[open.count - 1].names.insert(name, nodes[index].name) { hasRepetition = true }
  }
}
