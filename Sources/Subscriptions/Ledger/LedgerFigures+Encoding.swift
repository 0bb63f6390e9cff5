extension LedgerFigures: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: NameKey.self)
    for group in groups { try group.encode(into: &container) }
    guard let split else { return }
    var list = container.nestedUnkeyedContainer(forKey: NameKey("by"))
    for part in parts {
      var object = list.nestedContainer(keyedBy: NameKey.self)
      try object.encode(part.part.value, forKey: NameKey(split.key))
      if split.isOfTime {
        try object.encode(part.window.from, forKey: NameKey("from_ms"))
        try object.encode(part.window.to, forKey: NameKey("to_ms"))
      }
      for group in part.groups { try group.encode(into: &object) }
    }
  }
}

/// A key that a figure's declaration names.
private struct NameKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(_ name: String) { stringValue = name }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension EvaluatedGroup {
  fileprivate func encode(into container: inout KeyedEncodingContainer<NameKey>) throws {
    switch split {
    case .none:
      guard let row = rows.first else { return }
      var object = container.nestedContainer(keyedBy: NameKey.self, forKey: NameKey(name))
      for (figure, value) in zip(figures, row.values) {
        try object.encode(value, forKey: NameKey(figure.name))
      }
    case .byCurrency:
      var list = container.nestedUnkeyedContainer(forKey: NameKey(name))
      for row in rows {
        var object = list.nestedContainer(keyedBy: NameKey.self)
        try object.encode(row.currency, forKey: NameKey("currency"))
        for (figure, value) in zip(figures, row.values) where !figure.isOfConversion {
          try object.encode(value, forKey: NameKey("\(figure.name)_micros"))
        }
        guard total != nil else { continue }
        guard let converted = row.converted else {
          try object.encodeNil(forKey: NameKey("converted"))
          continue
        }
        var amounts = object.nestedContainer(keyedBy: NameKey.self, forKey: NameKey("converted"))
        for (figure, value) in zip(figures, converted) {
          try amounts.encode(value, forKey: NameKey("\(figure.name)_micros"))
        }
      }
    }
  }
}
