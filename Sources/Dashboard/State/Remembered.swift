import Subscriptions

/// Settings that a dashboard takes over from the previous run: tab, window and arrangements of lists.
///
/// Environment and product are not kept, so that an old restriction cannot mislead.
public struct Remembered: Hashable, Sendable, Codable {
  struct List: Hashable, Sendable, Codable {
    var sort: String?
    var isDescending: Bool?
    var filter: String?
    var lastFilter: String?
    var hidden: [String]?
  }

  var tab: String?
  /// 0 is the whole history.
  var windowDays: Int?
  var zone: String?
  var takesMouse: Bool?
  var theme: String?
  /// Configured theme at the time of the choice.
  var standardTheme: String?
  var commands: [String]?
  /// Keys are `ListScreen.name`.
  var lists: [String: List]?

  public init() {}
}

extension State {
  public var remembered: Remembered {
    var remembered = Remembered()
    remembered.tab = tab.name
    remembered.windowDays = (visitedOffer.map(\.days) ?? chosenDays) ?? 0
    remembered.zone = zone.name
    remembered.takesMouse = takesMouse
    remembered.theme = theme.isEmpty ? nil : theme
    remembered.standardTheme = standardTheme
    remembered.commands = commandHistory.filter { !$0.mayHoldSecret }
    remembered.lists = [:]
    for listScreen in Set(arrangements.keys).union(lastFilters.keys) {
      var arrangement = arrangement(of: listScreen)
      if listScreen == .panel(.offers), let visitedOffer { arrangement.filter = visitedOffer.filterBefore }
      remembered.lists?[listScreen.name] = Remembered.List(
        sort: arrangement.sort?.field, isDescending: arrangement.sort?.isDescending,
        filter: Self.kept(arrangement.filter), lastFilter: lastFilters[listScreen].flatMap(Self.kept),
        hidden: arrangement.hidden.isEmpty ? nil : arrangement.hidden.sorted())
    }
    return remembered
  }

  /// Returns `nil` for filters that are not stored: empty ones, and those that may contain a pasted secret.
  private static func kept(_ filter: String) -> String? {
    filter.isEmpty || filter.mayHoldSecret ? nil : filter
  }

  /// Restores the settings before the first event. Unknown values keep their defaults.
  public mutating func remember(_ remembered: Remembered) {
    if let tab = Tab.all.first(where: { $0.name == remembered.tab }) { self.tab = tab }
    if let days = remembered.windowDays, (0...Palette.longestWindow).contains(days) {
      chosenDays = days == 0 ? nil : days
    }
    if let zone = zones.first(where: { $0.name == remembered.zone }) { self.zone = zone }
    takesMouse = takesMouse && remembered.takesMouse ?? true
    // A theme that was configured since then takes precedence.
    if let theme = remembered.theme, themes.contains(theme),
      remembered.standardTheme.map({ $0 == standardTheme }) ?? true
    {
      self.theme = theme
    }
    commandHistory = (remembered.commands ?? []).suffix(100).filter { !$0.isEmpty }
    for (name, list) in remembered.lists ?? [:] {
      guard let listScreen = ListScreen.all.first(where: { $0.name == name }) else { continue }
      var arrangement = ListOptions()
      arrangement.sort = list.sort.map {
        ListOptions.Sort(field: $0, isDescending: list.isDescending ?? false)
      }
      arrangement.filter = list.filter ?? ""
      arrangement.hidden = Set(list.hidden ?? [])
      if !arrangement.isEmpty { arrangements[listScreen] = arrangement }
      lastFilters[listScreen] = list.lastFilter
    }
  }
}

extension Tab {
  var name: String {
    switch self {
    case .panel(let panel): panel.rawValue
    case .sweep: "sweep"
    }
  }
}

extension ListScreen {
  static let all =
    Panel.allCases.flatMap { [ListScreen.panel($0), .rows($0), .compared($0)] }
    + [.sweep, .chains, .receipts, .evidence, .products, .keys, .messages, .comparisons, .alerts]

  var name: String {
    switch self {
    case .panel(let panel): panel.rawValue
    case .rows(let panel): "\(panel.rawValue) rows"
    case .sweep: "sweep"
    case .chains: "chains"
    case .receipts: "receipts"
    case .evidence: "evidence"
    case .products: "products"
    case .keys: "keys"
    case .compared(let panel): "\(panel.rawValue) compared"
    case .comparisons: "comparisons"
    case .alerts: "alerts"
    case .messages: "messages"
    }
  }
}
