/// Expected shape of a JSON value, whose objects may have additional members.
indirect enum Shape: Sendable, ExpressibleByStringLiteral {
  case integer, number, text, flag
  case known(Shape)
  case list(Shape)
  case object([String: Shape])
  /// Object with arbitrary names and values of one shape.
  case named(Shape)

  /// Reads the members of an object from a text such as `lines rate?:number trials {ended converted}`.
  ///
  /// The default type is integer; `?` allows null, and `[…]` is a list.
  init(stringLiteral text: String) {
    var rest = text[...]
    self = .object(Self.members(&rest))
  }

  private static let types: [String: Shape] = [
    "integer": .integer, "number": .number, "text": .text, "flag": .flag, "texts": .list(.text),
    "integers": .list(.known(.integer)), "counts": .named(.integer), "any": .object([:]),
    "amounts": .list(.object(["currency": .text, "amount_micros": .integer])),
  ]

  private static func members(_ rest: inout Substring) -> [String: Shape] {
    var members: [String: Shape] = [:]
    while true {
      rest = rest.drop(while: \.isWhitespace)
      let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      guard !name.isEmpty else { return members }
      rest.removeFirst(name.count)
      let mayBeNull = rest.first == "?"
      if mayBeNull { rest.removeFirst() }
      let shape = shape(&rest)
      members[String(name)] = mayBeNull ? .known(shape) : shape
    }
  }

  private static func shape(_ rest: inout Substring) -> Shape {
    if rest.first == ":" {
      let type = rest.dropFirst().prefix(while: \.isLetter)
      rest.removeFirst(type.count + 1)
      return types[String(type)] ?? .object(["\(type)": .integer])
    }
    let next = rest.drop(while: \.isWhitespace)
    for (opening, isList) in [("[{", true), ("{", false)] where next.hasPrefix(opening) {
      rest = next.dropFirst(opening.count)
      let members = members(&rest)
      rest = rest.dropFirst(opening.count)
      return isList ? .list(.object(members)) : .object(members)
    }
    return .integer
  }

  func complaints(about value: JSON, at path: String = "") -> [String] {
    switch (self, value) {
    case (.integer, .integer), (.number, .integer), (.number, .number), (.text, .text), (.flag, .flag): []
    case (.known, .null): []
    case (.known(let shape), _): shape.complaints(about: value, at: path)
    case (.list(let shape), .list(let values)):
      values.enumerated().flatMap { shape.complaints(about: $1, at: "\(path)[\($0)]") }
    case (.object(let members), .object(let values)):
      members.sorted { $0.key < $1.key }.flatMap { key, shape in
        values[key].map { shape.complaints(about: $0, at: "\(path).\(key)") } ?? ["\(path).\(key) is missing"]
      }
    case (.named(let shape), .object(let values)):
      values.sorted { $0.key < $1.key }.flatMap { shape.complaints(about: $1, at: "\(path).\($0)") }
    default: ["\(path) is \(String("\(value)".prefix(60))) instead of \(self)"]
    }
  }
}
