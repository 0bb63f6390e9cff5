/// What a JSON value is to look like: every promised key there with its type; more keys may come.
indirect enum Shape: Sendable {
  case integer, number, text, flag
  /// The value, or null where it is not known.
  case known(Shape)
  case list(Shape)
  case object([String: Shape])
  /// Names that vary, all with values of one shape.
  case named(Shape)

  /// `[amount]`: sorted by currency.
  static let amounts = Shape.list(.object(["currency": .text, "amount_micros": .integer]))

  /// Every promise that a value breaks.
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
