import Screen
import Subscriptions

/// Movement figures as a table, with a row for each part of a split and a row for the total.
struct MovementTable {
  private let figures: LedgerFigures
  private let group: EvaluatedGroup
  private let whole: EvaluatedGroup.Row
  private let formatter: DisplayFormatter

  init(
    _ figures: LedgerFigures, _ group: EvaluatedGroup, _ row: EvaluatedGroup.Row,
    _ formatter: DisplayFormatter
  ) {
    (self.figures, self.group, whole, self.formatter) = (figures, group, row, formatter)
  }

  private struct Entry {
    var part: LedgerFigures.Part?
    var values: [Int128]
  }

  func block(by split: MovementSplit, _ report: Report) -> Block {
    let entries =
      figures.parts.map { Entry(part: $0, values: values(of: $0)) }.filter { entry in
        split.isOfTime || entry.values.contains { $0 != 0 }
      } + [Entry(part: nil, values: whole.values)]
    let unit = AmountUnit(for: entries.flatMap(\.values))
    let names: ListingColumn =
      split.isOfTime
      ? .whole(split.title)
      : .product(
        split.title, of: formatter.products, least: split == .product ? 14 : 8, priority: 0)
    let sums = sums.filter { sum in sum.isAlways || entries.contains { value(of: sum, $0) != 0 } }
    let columns = sums.map { sum in
      Column<Entry>(.number(sum.title, priority: sum.priority)) { cell(value(of: sum, $0), sum, in: unit) }
    }
    let currency =
      whole.currency.map { ", \(isTotal ? "\(formatter.glyphs.about) " : "")\($0)\(unit.suffix)" } ?? ""
    return Block(
      StyledText("\(group.label)\(currency) by \(split.title.lowercased()) \(report.windowText)"), entries,
      [Column(names) { name(of: $0.part) }] + columns, emptyText: "No subscriptions.", span: .wide,
      in: formatter.glyphs
    ) { Listing.Row(id: $0.part.map { $0.part.path(of: "") } ?? "all", drillDown: drillDown($0)) }
  }

  private var isTotal: Bool { whole == group.total && !group.rows.contains(whole) }

  // MARK: Columns

  private struct Sum {
    let title: String
    /// Indices in `group.figures` of the summed figures.
    let places: [Int]
    var isLevel = false
    var isAlways = false
    /// Order of hiding on narrow screens, highest first; 0 for columns that add up to the closing balance.
    var priority = 0
    let style: (Int128) -> Style
  }

  private func value(of sum: Sum, _ entry: Entry) -> Int128 {
    sum.places.reduce(0) { group.figures[$1].isTakenOff ? $0 - entry.values[$1] : $0 + entry.values[$1] }
  }

  /// Opening balance, sums of the changes, closing balance; then each change, if there are more than two.
  private var sums: [Sum] {
    let levels = group.figures.indices.filter { group.figures[$0].isBalance }
    let flows = group.figures.indices.filter { !group.figures[$0].isBalance }
    let between = flows.filter { isBetween(group.figures[$0].name) }
    let coming = flows.filter { !between.contains($0) && !isGoing(group.figures[$0]) }
    let going = flows.filter { !between.contains($0) && isGoing(group.figures[$0]) }
    func level(_ title: String, _ place: Int) -> Sum {
      Sum(title: title, places: [place], isLevel: true, isAlways: true) { _ in .strong }
    }
    let details = (coming + going).map { place in
      let figure = group.figures[place]
      let isTrials = group.name == "billing_retry" && figure.name.hasPrefix("trial_")
      let title = isTrials ? "Trial \(figure.columnTitle.lowercased())" : figure.columnTitle
      return Sum(title: title, places: [place], priority: figure.importance) { figure.style(of: $0) }
    }
    return levels.prefix(1).map { level("Start", $0) }
      + [
        Sum(title: "In", places: coming, isAlways: true) { _ in .good },
        Sum(title: "Out", places: going, isAlways: true) { _ in .bad },
        Sum(title: group.split == .none ? "Switched" : "Changed", places: between) { _ in .info },
      ] + levels.suffix(1).map { level("End", $0) } + (details.count > 2 ? details : [])
  }

  /// Whether a change keeps a subscription in the group, with another product, price or exchange rate.
  private func isBetween(_ figure: String) -> Bool {
    Movement.otherProducts.contains(figure) || figure == Movement.exchangeRates
      || [.expansion, .contraction, .repriced].contains(Flow(rawValue: figure))
  }

  /// Whether a change removes subscriptions from the group; decided by name for MRR, whose values are signed.
  private func isGoing(_ figure: FigureDefinition) -> Bool {
    guard group.split == .byCurrency else { return figure.isTakenOff }
    return [.toTrial, .toRetry, .toOverdue, .toUnattributed, .lost].contains(Flow(rawValue: figure.name))
  }

  // MARK: Cells

  private func values(of part: LedgerFigures.Part) -> [Int128] {
    let none = [Int128](repeating: 0, count: group.figures.count)
    guard let own = part[group.name] else { return none }
    if isTotal { return own.total?.values ?? none }
    return own.rows.first { $0.currency == whole.currency }?.values ?? none
  }

  private func cell(_ value: Int128, _ column: Sum, in unit: AmountUnit) -> StyledText {
    let money = whole.currency.map { MoneyText.number(of: Money(micros: value, currency: $0), in: unit) }
    let sign = !column.isLevel && value > 0 ? "+" : ""
    return StyledText(sign + (money ?? CountText.of(value)), value == 0 ? .dim : column.style(value))
  }

  private func name(of part: LedgerFigures.Part?) -> StyledText {
    guard let part else { return StyledText("All", .heading) }
    let value = part.part.value
    switch part.part.split {
    case .week, .month:
      let (name, days) = (value ?? "", part.part.wholeDays)
      // A week or month that the window cuts shows its number of days, because it is not comparable.
      return part.window.days == days
        ? StyledText(name) : [TextSpan(name), TextSpan(" (\(part.window.days) d)", .dim)]
    case .product: return StyledText(formatter.products.name(of: ProductID(value ?? "")))
    case .storefront: return .storefront(value.map { StorefrontCode($0) }, in: formatter.glyphs)
    case .kind: return StyledText(value.flatMap(PeriodKind.init(rawValue:))?.words ?? "")
    case .currency: return value.map { StyledText($0) } ?? StyledText("unpriced", .warn)
    }
  }

  private func drillDown(_ entry: Entry) -> DrillDown? {
    let counted = group.figures.indices.filter {
      entry.values[$0] != 0 && !group.figures[$0].isOfConversion
    }.sorted {
      let (one, other) = (group.figures[$0].isBalance, group.figures[$1].isBalance)
      return one == other ? entry.values[$0].magnitude > entry.values[$1].magnitude : other
    }
    guard !counted.isEmpty else { return nil }
    return .rows(
      Breakdown(
        counted.map { place in
          let figure = "\(group.name).\(group.figures[place].name)"
          return (entry.part?.part.path(of: figure) ?? figure, 1)
        }))
  }
}

extension MovementSplit {
  var title: String {
    switch self {
    case .week: "Week"
    case .month: "Month"
    case .product: "Product"
    case .storefront: "Storefront"
    case .kind: "Kind"
    case .currency: "Currency"
    }
  }
}

extension FigureDefinition {
  /// Order of hiding on narrow screens, highest first; losses have 1.
  fileprivate var importance: Int {
    let order: [Set<Flow>] = [
      [.lost, .trialLost], [.new, .trialStarted], [.converted], [.toRetry, .trialToRetry], [.recovered],
      [.resubscribed],
    ]
    let place = Flow(rawValue: name).flatMap { flow in order.firstIndex { $0.contains(flow) } }
    return (place ?? order.count) + 1
  }

  fileprivate var columnTitle: String {
    switch Flow(rawValue: name) {
    case .returned?: Flow.returned.shortWords
    case .toTrial?: "To trial"
    case .toRetry?, .trialToRetry?: "To retry"
    case .toOverdue?, .trialToOverdue?: "Unverified"
    case .toUnattributed?, .trialToUnattributed?: "Lapsed"
    case .trialStarted?: "Started"
    default: label
    }
  }
}

/// The movement panel: waterfalls from the start to the end of the window, or tables if it is split.
extension PanelContent {
  var movementPanel: [Block?] {
    guard let movement = figures.movement else { return [] }
    if let split = movement.split {
      return ["subscribers", "mrr", "trials", "billing_retry"].compactMap { movement[$0] }.flatMap { group in
        group.rowsByLines.map { MovementTable(movement, group, $0, formatter).block(by: split, report) }
      }
    }
    func first(_ name: String, reasons: EvaluatedGroup? = nil) -> Block? {
      guard let group = movement[name], let row = group.rows.first else { return nil }
      return MovementSteps(group, row, reasons: reasons).block("\(group.label) \(window)", 54)
    }
    let money: [Block?] = movement["mrr"].map(revenue) ?? []
    return [first("subscribers", reasons: movement["lost_by_reason"])] + money.prefix(1)
      + [first("trials"), first("billing_retry")] + money.dropFirst()
  }

  private func revenue(_ group: EvaluatedGroup) -> [Block] {
    group.rowsByLines.map { row in
      let about = row == group.total ? "\(glyphs.about) " : ""
      let currency = row.currency.map { ", \(about)\($0)" } ?? ""
      return MovementSteps(group, row).block("\(group.label)\(currency) \(window)", 54)
    }
  }
}
