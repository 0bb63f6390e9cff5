/// Evaluated figure groups: the `data` of a movement report, or the overview's `movement`.
public struct LedgerFigures: Hashable, Sendable {
  public struct Part: Hashable, Sendable {
    public var part: MovementPart
    public var window: Window
    public var groups: [EvaluatedGroup]

    public init(part: MovementPart, window: Window, groups: [EvaluatedGroup]) {
      (self.part, self.window, self.groups) = (part, window, groups)
    }

    public subscript(group: String) -> EvaluatedGroup? { groups.first { $0.name == group } }
  }

  public let groups: [EvaluatedGroup]
  public var split: MovementSplit?
  /// Weeks or months in order; other parts by number of subscribers at the window's end, largest first.
  public var parts: [Part] = []

  public init() { groups = [] }

  init(groups: [EvaluatedGroup]) { self.groups = groups }

  public subscript(group: String) -> EvaluatedGroup? { groups.first { $0.name == group } }
}

public struct EvaluatedGroup: Hashable, Sendable, Encodable {
  /// Values in one currency, or all values of a group that is not split by currency.
  public struct Row: Hashable, Sendable {
    public var currency: CurrencyCode?
    /// Values in the order of `figures`: numbers of lines, or micros of the currency.
    public var values: [Int128]
    /// `values` in the reporting currency; `nil` without a reporting currency, or if no amount has a rate.
    public var converted: [Int128]?
    /// Paid lines in the currency at both ends of the window; for the total, only lines with a rate.
    public var lines = Ends()
  }

  public struct Ends: Hashable, Sendable {
    public var start: Int64 = 0
    public var end: Int64 = 0
  }

  let group: FigureGroup
  /// Single row, or one row for each currency in use, sorted by currency.
  public let rows: [Row]
  /// Total in the reporting currency; `nil` without a reporting currency.
  public let total: Row?
  /// Number of rows without a rate, at the window's start and in its flows.
  public let unconverted: Int

  public var name: String { group.name }
  public var label: String { group.label }
  public var split: FigureGroup.Split { group.split }
  public var figures: [FigureDefinition] { group.figures }

  /// Returns the balances at the window's ends; `nil` if the group or the currency has none.
  ///
  /// - Parameter currency: Currency of a split group; `nil` for the total in the reporting currency.
  public func values(in currency: CurrencyCode? = nil) -> (start: Int128, end: Int128)? {
    let row = split == .none ? rows.first : currency == nil ? total : rows.first { $0.currency == currency }
    guard let (start, end) = ends, let row else { return nil }
    return (row.values[start], row.values[end])
  }

  public subscript(figure: String) -> Int64? {
    guard split == .none, let place = figures.firstIndex(where: { $0.name == figure }) else { return nil }
    return (rows.first?.values[place]).map { Int64(clamping: $0) }
  }

  public var ends: (start: Int, end: Int)? { Self.ends(of: figures) }

  static func ends(of figures: [FigureDefinition]) -> (start: Int, end: Int)? {
    guard let start = figures.firstIndex(where: { $0.name == "start" }),
      let end = figures.firstIndex(where: { $0.name == "end" })
    else { return nil }
    return (start, end)
  }

  /// Rows in display order: the total, then the currencies by number of paid lines, most first.
  ///
  /// The total is omitted if it repeats the only row, or if no amount has a rate.
  public var rowsByLines: [Row] {
    guard split == .byCurrency else { return rows }
    func key(_ row: Row) -> (Int64, Int64, String) {
      (0 &- row.lines.end, 0 &- row.lines.start, row.currency?.rawValue ?? "")
    }
    let sorted = rows.sorted { key($0) < key($1) }
    guard let total, rows.map(\.currency) != [total.currency], rows.contains(where: { $0.converted != nil })
    else { return sorted }
    return [total] + sorted
  }

  public var isEmpty: Bool { rows.allSatisfy { row in row.values.allSatisfy { $0 == 0 } } }

  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
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
