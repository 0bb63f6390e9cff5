/// What bytes of JSON hold, in the order in which they hold it: where every value begins and ends, and nothing of what it
/// says, which is read when somebody asks.
final class JSONTape: Sendable {
  let bytes: [UInt8]
  let nodes: [JSONNode]
  /// Whether an object has a member twice. Of two with one name, the first is read.
  let hasRepetition: Bool

  /// Whether a byte below 0x20 stands in a text.
  let hasControl: Bool

  init(bytes: [UInt8], nodes: [JSONNode], hasRepetition: Bool, hasControl: Bool) {
    self.bytes = bytes
    self.nodes = nodes
    self.hasRepetition = hasRepetition
    self.hasControl = hasControl
  }

  /// The node after a value and all that is in it.
  func next(after index: Int) -> Int { nodes[index].isContainer ? Int(nodes[index].end) : index + 1 }
}

/// One value, or the name of a member, which its value follows.
struct JSONNode {
  enum Kind: UInt8 { case object, array, text, number, yes, no, null, name }

  let kind: Kind
  /// Of a name: which of those that somebody reads.
  var name: WireName?
  /// Of a text or a name.
  var traits: TextTraits = []
  /// Of an object: a name in it is no text.
  var hasBrokenName = false
  /// Of a text or a name without its quotes, and of a number: the first byte.
  var start: UInt32
  /// The byte after those; of an object or array, the node after it and all that is in it.
  var end: UInt32

  var isContainer: Bool { kind == .object || kind == .array }
  var range: Range<Int> { Int(start)..<Int(end) }

  init(_ kind: Kind, start: Int = 0, end: Int = 0) {
    self.kind = kind
    self.start = UInt32(start)
    self.end = UInt32(end)
  }
}
