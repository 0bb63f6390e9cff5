extension FigureValues {
  public mutating func addMovement(of sums: LedgerSums, _ question: Question) {
    let movement = LedgerFigures(Movement.headline, from: sums, question)
    self[value: "movement"] = .movement(movement)
    self[parts: "movement_by_product"] = LedgerFigures.parts(.product, Movement.headline, sums, question)
      .map { FigureValues(changesOf: $0, question) }
    revenueChange = movement["mrr"].flatMap { RevenueChange($0, sums, question) }
  }

  /// Creates the movement of one product (METRICS §5); a lost line counts for its last product.
  private init(changesOf part: LedgerFigures.Part, _ question: Question) {
    self.init(product: ProductID(part.part.value ?? ""))
    for name in ["start", "end", "lost"] { self[name] = Int(clamping: part["subscribers"]?[name] ?? 0) }
    var change = Amounts(in: question.reportingCurrency)
    if let revenue = part["mrr"], let (start, end) = revenue.ends {
      for row in revenue.rows {
        guard let currency = row.currency else { continue }
        let converted = row.converted.map { Converted(micros: $0[end] - $0[start]) }
        change.add(
          Money(micros: row.values[end] - row.values[start], currency: currency),
          converted ?? Converted(unconverted: 1))
      }
    }
    self[amounts: "mrr_change"] = change
  }
}

extension LedgerFigures: Encodable {
  public var values: FigureValues {
    var values = FigureValues(of: self)
    for group in groups { group.add(to: &values) }
    guard let split else { return values }
    values[parts: "by"] = parts.map { part in
      var values = FigureValues()
      values[text: split.key] = part.part.value
      if split.isOfTime {
        values["from_ms"] = Int(part.window.from.rawValue)
        values["to_ms"] = Int(part.window.to.rawValue)
      }
      for group in part.groups { group.add(to: &values) }
      return values
    }
    return values
  }

  public func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}

extension EvaluatedGroup {
  fileprivate func add(to values: inout FigureValues) {
    guard split == .none else {
      values[value: name] = .group(self)
      return
    }
    for row in rows {
      for (figure, value) in zip(figures, row.values) {
        values["\(name).\(figure.name)"] = Int(clamping: value)
      }
    }
  }
}
