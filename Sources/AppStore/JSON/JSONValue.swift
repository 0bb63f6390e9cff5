/// One value of a tape.
package struct JSONValue {
  let tape: JSONTape
  let index: Int

  var node: JSONNode { tape.nodes[index] }
  var kind: JSONNode.Kind { node.kind }
  private var bytes: ArraySlice<UInt8> { tape.bytes[node.range] }

  /// Of a text; nil where it is none, or not UTF-8.
  var string: String? {
    let node = self.node
    return node.kind == .text ? JSONText.read(tape.bytes[node.range], node.traits) : nil
  }

  /// Of a number; nil where it is none, or too large.
  var number: JSONNumber? { kind == .number ? JSONNumber(bytes) : nil }

  /// A text that stands as it is, byte for byte.
  var plain: ArraySlice<UInt8>? {
    let node = self.node
    return node.kind == .text && node.traits.isEmpty ? tape.bytes[node.range] : nil
  }

  /// A string, number or boolean as text: Apple sends flags and numbers in all three forms.
  func lenientText() throws(Misread) -> String {
    switch kind {
    case .yes: return "true"
    case .no: return "false"
    case .number:
      guard let number else { throw Misread(.broken) }
      return number.text
    case .null: throw Misread(.null)
    default:
      guard let string else { throw Misread(.wrongType) }
      return string
    }
  }

  /// Digits of an id that is written as a number, however many.
  ///
  /// - Throws: if it has a point or an exponent: a program that took the id for a quantity wrote it, and digits may be lost.
  func idText() throws(Misread) -> String {
    switch JSONNumber.digits(bytes) {
    case .digits(let digits)?: return digits
    case .inexact?:
      throw Misread(
        .limit("is a number with a point or an exponent, which may have lost digits; write the id as text"))
    case nil: throw Misread(.broken)
    }
  }

  /// Of an array.
  var elements: some Sequence<JSONValue> {
    sequence(state: index + 1) { [tape, end = Int(node.end)] index -> JSONValue? in
      guard index < end else { return nil }
      defer { index = tape.next(after: index) }
      return JSONValue(tape: tape, index: index)
    }
  }
}
