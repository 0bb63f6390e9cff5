/// An object, with the places of the members that somebody reads.
package struct JSONObject {
  let value: JSONValue
  /// By the number of their name; 0, which is before every member, where there is none.
  private var places = InlineArray<96, UInt32>(repeating: 0)

  init(_ value: JSONValue) throws(Misread) {
    let node = value.node
    guard node.kind == .object else { throw Misread(node.kind == .null ? .null : .wrongType) }
    guard !node.hasBrokenName else { throw Misread(.broken) }
    self.value = value
    let tape = value.tape
    var index = value.index + 1
    while index < Int(node.end) {
      if let name = tape.nodes[index].name, places[Int(name.rawValue)] == 0 {
        places[Int(name.rawValue)] = UInt32(index + 1)
      }
      index = tape.next(after: index + 1)
    }
  }

  var isEmpty: Bool { value.index + 1 == Int(value.node.end) }

  func contains(_ name: WireName) -> Bool { places[Int(name.rawValue)] != 0 }

  /// Nil where the member is missing or null.
  subscript(name: WireName) -> JSONValue? {
    let place = Int(places[Int(name.rawValue)])
    guard place != 0 else { return nil }
    let member = JSONValue(tape: value.tape, index: place)
    return member.kind == .null ? nil : member
  }

  /// Reads a member that has to be there; what is wrong with it is told with its name.
  func read<Value>(
    _ name: WireName, _ read: (JSONObject) throws(Misread) -> Value
  ) throws(Misread) -> Value {
    guard contains(name) else { throw Misread(.missing).under(name) }
    return try self.reading(name) { () throws(Misread) in
      try read(try JSONValue(tape: value.tape, index: Int(places[Int(name.rawValue)])).object())
    }
  }

  /// The same of one that may be missing or null.
  func readIfPresent<Value>(
    _ name: WireName, _ read: (JSONObject) throws(Misread) -> Value
  ) throws(Misread) -> Value? {
    guard let member = self[name] else { return nil }
    return try reading(name) { () throws(Misread) in try read(try member.object()) }
  }

  /// The same of a list.
  func list<Element>(
    _ name: WireName, _ read: (JSONObject) throws(Misread) -> Element
  ) throws(Misread) -> [Element]? {
    guard let member = self[name] else { return nil }
    return try reading(name) { () throws(Misread) in try member.oneOrMany(atMost: name.most, read) }
  }

  func reading<Value>(
    _ name: WireName, _ body: () throws(Misread) -> Value
  ) throws(Misread) -> Value {
    do throws(Misread) {
      return try body()
    } catch {
      throw error.under(name)
    }
  }
}

extension JSONValue {
  func object() throws(Misread) -> JSONObject { try JSONObject(self) }

  /// An array's elements, or the one object that old answers have in its place.
  func oneOrMany<Element>(
    atMost most: Int, _ read: (JSONObject) throws(Misread) -> Element
  ) throws(Misread) -> [Element] {
    guard kind == .array else { return [try read(try object())] }
    var elements: [Element] = []
    for element in self.elements {
      guard elements.count < most else {
        throw Misread(.tooMany(most))
      }
      do throws(Misread) {
        elements.append(try read(try element.object()))
      } catch {
        throw error.under(elements.count)
      }
    }
    return elements
  }
}
