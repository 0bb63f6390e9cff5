/// Numbers of a report by their paths in the JSON, for alerts and comparisons.
///
/// A path through a list contains the element's product, intent or other identity: `by_intent.1.paid`. There
/// are no paths into lists of subscriptions, events and the largest revenue changes.
public struct ReportValues: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    public var path: String
    public var currency: CurrencyCode?
    /// Whether this is a total in the reporting currency, which includes the entries of other currencies.
    public var isConverted = false
    public var value: ReportValue?
  }

  public private(set) var entries: [Entry] = []
  /// Paths of lists with an amount for each currency, including empty lists.
  public private(set) var amountLists: Set<String> = []
  /// Paths of all other lists, such as breakdowns by product.
  public private(set) var lists: Set<String> = []

  public init(_ report: Report) {
    add(report.data, at: nil, in: report.reportingCurrency)
    add(report.trust.values, at: "trust", in: nil)
  }

  public func entries(_ path: String) -> [Entry] { entries.filter { $0.path == path } }

  mutating func keep(_ isKept: (String) -> Bool) { entries.removeAll { !isKept($0.path) } }

  mutating func rename(_ name: (String) -> String) {
    for index in entries.indices { entries[index].path = name(entries[index].path) }
  }

  private mutating func add(_ values: FigureValues, at prefix: String?, in reporting: CurrencyCode?) {
    for name in values.paths where !name.hasSuffix("_ms") {
      let path = prefix.map { "\($0).\(name)" } ?? name
      switch values[value: name] {
      case .count(let count)?: entries.append(Entry(path: path, value: .count(Double(count))))
      case .share(let share)?: entries.append(Entry(path: path, value: share.map { .share($0) }))
      case .amounts(let amounts)?: add(amounts, at: path)
      case .parts(let parts)?:
        lists.insert(path)
        for part in parts {
          guard let id = part.identity else { continue }
          add(part.withoutIdentity, at: "\(path).\(id)", in: reporting)
        }
      case .movement(let movement)?: add(movement.values, at: path, in: reporting)
      case .group(let group)?: add(group, at: path, in: reporting)
      case .revenueChange(let change)?: add(change, at: path)
      case .upgrades?, .unpaid?, .consents?, .events?: lists.insert(path)
      case .text?, nil: break
      }
    }
  }

  private mutating func add(
    _ micros: Int128, in currency: CurrencyCode, at path: String, isConverted: Bool = false
  ) {
    entries.append(
      Entry(
        path: path, currency: currency, isConverted: isConverted,
        value: .amount(Money(micros: micros, currency: currency))))
  }

  private mutating func add(_ amounts: Amounts, at path: String) {
    amountLists.insert(path)
    for total in amounts.totals { add(total.micros, in: total.currency, at: path) }
    guard let whole = amounts.inReportingCurrency else { return }
    addConverted(whole.micros, in: whole.currency, at: path)
  }

  private mutating func add(_ group: EvaluatedGroup, at path: String, in reporting: CurrencyCode?) {
    amountLists.insert(path)
    for row in group.rows {
      guard let currency = row.currency else { continue }
      for (figure, micros) in zip(group.figures, row.values) where !figure.isOfConversion {
        add(micros, in: currency, at: "\(path).\(figure.name)")
      }
    }
    let converted = group.rows.compactMap(\.converted)
    guard let reporting, !converted.isEmpty else { return }
    for place in group.figures.indices.sorted(by: { group.figures[$0].name < group.figures[$1].name }) {
      let sum = converted.reduce(0) { $0 + $1[place] }
      addConverted(sum, in: reporting, at: "\(path).\(group.figures[place].name)")
    }
  }

  /// Adds the converted total of an amount, unless all of it is in the reporting currency already.
  private mutating func addConverted(_ micros: Int128, in reporting: CurrencyCode, at path: String) {
    guard entries.filter({ $0.path == path }).map(\.currency) != [reporting] else { return }
    add(micros, in: reporting, at: path, isConverted: true)
  }

  private mutating func add(_ change: RevenueChange?, at path: String) {
    guard let change else { return entries.append(Entry(path: path, value: nil)) }
    for (name, number) in [
      ("lines", Int128(change.lines)), ("currencies", Int128(change.currencies)),
      ("start_micros", change.startMicros), ("end_micros", change.endMicros),
    ] { entries.append(Entry(path: "\(path).\(name)", value: .count(Double(number)))) }
    lists.insert("\(path).movers")
  }
}
