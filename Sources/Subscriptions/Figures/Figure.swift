/// Declaration of a figure: its path, words, unit and the meaning of a rise.
public struct PanelFigure: Sendable {
  /// Path in the panel's JSON, with `*` for any value, such as an intent or a period.
  public let path: String
  /// Label; `nil` if it depends on the value in the path.
  public private(set) var words: String?
  let trend: Trend
  let value: Measure
  let needsSnapshots: Bool
  private(set) var rise = Rise.neutral
  private(set) var legend: String?
  private(set) var note: String?
  /// Whether the amount is part of another figure's amount.
  private(set) var isPart = false
  /// Unit of a figure that can count a subscription several times, such as `request`; otherwise `nil`.
  public private(set) var countsTimes: String?
  private var wordsOfValue: (@Sendable (String) -> String)?

  enum Trend {
    case standing
    case happened
    case none
  }

  enum Measure: Hashable, Sendable {
    case rows(String)
    /// Sum of the rows' amounts; for lines, the sum of their monthly prices.
    case amount(String)
    case share(String, of: String)
    /// Number of distinct users in billing retry or in grace (`Ledger.failing`).
    case users(inGrace: Bool)
  }

  init(
    _ path: String, _ words: String?, _ trend: Trend, _ value: Measure? = nil, needsSnapshots: Bool = false
  ) {
    (self.path, self.words, self.trend) = (path, words, trend)
    self.value = value ?? .rows(path)
    self.needsSnapshots = needsSnapshots
  }

  var isRevenue: Bool { trend == .standing && value == .amount(path) }

  func legend(_ words: String) -> Self { with { $0.legend = words } }

  func rising(_ rise: Rise) -> Self { with { $0.rise = rise } }

  func noted(_ note: String) -> Self { with { $0.note = note } }

  var asPart: Self { with { $0.isPart = true } }

  func counting(_ times: String) -> Self { with { $0.countsTimes = times } }

  func named(_ value: @escaping @Sendable (String) -> String) -> Self { with { $0.wordsOfValue = value } }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var figure = self
    change(&figure)
    return figure
  }

  fileprivate func with(value: some StringProtocol) -> Self {
    with { $0.words = wordsOfValue?(String(value)) ?? words }
  }
}

/// Meaning of a rise in the value of a figure.
public enum Rise: Hashable, Sendable {
  case good, bad, neutral
}

/// Entry of a panel's table, which describes a value in the panel's JSON.
enum FigureEntry: Sendable {
  case figure(PanelFigure)
  /// Value without rows of its own, which shows the rows of another figure.
  case beside(String, PanelFigure.Measure, rows: String)
  case breakdown(FigureBreakdown)
  /// List with an element for each value of an attribute that is not product or storefront, such as a period.
  case list(String, FigureList, [PanelFigure])

  /// Paths of values without rows, each with the path of the figure whose rows are shown.
  fileprivate var besides: [(path: String, rows: String)] {
    switch self {
    case .beside(let path, _, let rows): [(path, rows)]
    case .list(let path, .curve, _):
      Recovery.days.flatMap { days in
        [("rate", "recovered"), ("recovered_mrr", "recovered"), ("of_mrr", "of")].map {
          ("\(path).\(days).\($0)", "\(path).\(days).\($1)")
        }
      }
    case .list(_, .standing, let figures):
      figures.flatMap { [("\($0.path).lines", $0.path), ("\($0.path).mrr", $0.path)] }
    case .list(let path, .horizons, _):
      DueHorizon.allCases.map { ("\(path).\($0.days).expected", "\(path).\($0.days).renewing") }
    case .figure, .breakdown, .list: []
    }
  }
}

/// Figures that are listed for each product or storefront.
struct FigureBreakdown: Sendable {
  let path: String
  let split: MovementSplit
  /// Figures of each product or storefront: name in its entry, and path.
  ///
  /// The entries are sorted by the first figure, largest first.
  let figures: [(name: String, path: String)]
  /// Whether the JSON contains the breakdown; the rows of its figures are available in any case.
  var isInJSON = true
  /// Name of the object that contains an element's figures; `nil` if the element itself contains them.
  var object: String?

  var named: [(name: String, path: String)] {
    let prefix = object.map { "\($0)." } ?? ""
    return figures.map { (prefix + $0.name, $0.path) }
  }

  init(_ path: String, _ split: MovementSplit, _ figures: KeyValuePairs<String, String>) {
    (self.path, self.split) = (path, split)
    self.figures = figures.map { ($0, $1) }
  }
}

enum FigureList: Sendable {
  case intents
  case periods
  case horizons
  case curve, months, weeks, standing, cohorts, offers
}

extension Panel {
  /// Figures with a list of the rows behind them; `FigurePath` maps other paths to these figures.
  public var figures: [PanelFigure] { FigureTable.of(self).figures }

  public var figureNames: [String] { figures.map(\.path) }

  public func figure(_ path: String) -> PanelFigure? {
    self == .cohorts
      ? CohortCell(path: path).map { PanelFigure(path, $0.words, .none) } : FigureTable.of(self)[path]
  }

  /// Whether the figure with this path is a flow with a trend, or the number of events.
  public func happens(_ path: String) -> Bool { path == Self.eventCount || figure(path)?.trend == .happened }

  /// Path of the number of events, which has a trend but is not a figure with rows.
  public static let eventCount = "count"
  static let proceeds = "sales.proceeds"

  /// Legend of the figures with rows behind them and, for `offers`, of other values that the panel shows.
  public var meanings: [FigureMeaning] {
    figures.map { FigureMeaning(words: $0.legend ?? $0.words ?? $0.path, term: $0.path, note: $0.note) }
      + (self == .offers ? FigureTable.besideOffers : [])
  }
}

struct FigureTable: Sendable {
  let entries: [FigureEntry]
  let figures: [PanelFigure]
  let breakdowns: [FigureBreakdown]
  /// Path of the figure whose rows are shown for a value without rows of its own, by the value's path.
  let rows: [String: String]
  /// Paths of amounts that are not part of another amount.
  let wholes: [String]
  private let byPath: [String: PanelFigure]

  init(_ entries: [FigureEntry]) {
    self.entries = entries
    figures = entries.flatMap { entry -> [PanelFigure] in
      switch entry {
      case .figure(let figure): [figure]
      case .list(_, _, let figures): figures
      case .beside, .breakdown: []
      }
    }
    breakdowns = entries.compactMap { if case .breakdown(let breakdown) = $0 { breakdown } else { nil } }
    rows = Dictionary(entries.flatMap(\.besides), uniquingKeysWith: { first, _ in first })
    wholes = figures.filter { $0.value == .amount($0.path) && !$0.isPart }.map(\.path)
    byPath = Dictionary(figures.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
  }

  subscript(path: String) -> PanelFigure? {
    if let figure = byPath[path] { return path.contains("*") ? figure : figure.with(value: "") }
    let parts = path.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 2, let last = parts.last else { return nil }
    if parts.count == 3 || parts[0] == "offers" {
      // Identifiers of offers may contain dots.
      return byPath["\(parts[0]).*.\(last)"]?.with(value: parts[1..<parts.count - 1].joined(separator: "."))
    }
    return parts.count == 4 ? byPath["\(parts[0]).\(parts[1]).*.\(last)"]?.with(value: parts[2]) : nil
  }

  static func of(_ panel: Panel) -> FigureTable { tables[panel] ?? FigureTable([]) }
}

/// Entry of a panel's legend, which explains a figure.
public struct FigureMeaning: Hashable, Sendable {
  public let words: String
  /// Path in the JSON, or the formula of a value that is computed on the screen.
  public let term: String
  public var note: String?
}
