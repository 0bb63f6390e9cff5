import Subscriptions

/// Settings that the dashboard restores at its next start, such as tab, window and order of lists.
///
/// They exclude the environment and the narrowing, because a forgotten restriction would mislead.
public struct Remembered: Hashable, Sendable, Codable {
  var tab: String?
  /// Text of the chosen window; `nil` for a fixed period, which the user would not expect at the next start.
  var window: String?
  var zone: String?
  var takesMouse: Bool?
  var theme: String?
  /// Configured theme when these settings were saved; if it has changed since, `theme` is not restored.
  var standardTheme: String?
  var commands: [String]?
  /// Sort order, filter and hidden columns of each list, by the list's name.
  var arrangements: [String: ListOptions]?
  var lastFilters: [String: String]?
  /// All boxes of the overview in the user's order; `nil`, like `hiddenBoxes`, if the user changed nothing.
  var boxes: [String]?
  var hiddenBoxes: [String]?

  public init() {}
}

extension State {
  public var remembered: Remembered {
    var remembered = Remembered()
    remembered.tab = tab.name
    if case .period = chosenWindow {} else { remembered.window = chosenWindow.text }
    remembered.zone = zone.name
    remembered.takesMouse = takesMouse
    remembered.theme = isThemeChosen ? theme : nil
    remembered.standardTheme = standardTheme
    remembered.commands = commandHistory.filter { !$0.mayHoldSecret }
    // A filter may contain a pasted secret.
    remembered.arrangements = arrangements.mapValues { options in
      var options = options
      if options.filter.mayHoldSecret { options.filter = "" }
      return options
    }
    .filter { !$0.value.isEmpty }
    remembered.lastFilters = lastFilters.filter { !$0.value.mayHoldSecret }
    if boxes != OverviewBoxes() {
      remembered.boxes = boxes.order.map(\.rawValue)
      remembered.hiddenBoxes = boxes.hidden.map(\.rawValue).sorted()
    }
    return remembered
  }

  /// Restores the settings before the first event, except those with unknown values.
  public mutating func remember(_ remembered: Remembered) {
    if let tab = Tab.all.first(where: { $0.name == remembered.tab }) { self.tab = tab }
    if let window = remembered.window.flatMap(WindowChoice.init(parsing:)) { chosenWindow = window }
    if let zone = zones.first(where: { $0.name == remembered.zone }) { self.zone = zone }
    takesMouse = takesMouse && remembered.takesMouse ?? true
    // A theme that has since been configured takes precedence.
    if let theme = remembered.theme, themes.contains(theme),
      remembered.standardTheme.map({ $0 == standardTheme }) ?? true
    {
      // Earlier versions also saved a theme that the user had not chosen.
      (self.theme, isThemeChosen) = (theme, theme != standardTheme)
    }
    commandHistory = (remembered.commands ?? []).suffix(100).filter { !$0.isEmpty }
    arrangements = remembered.arrangements ?? [:]
    lastFilters = remembered.lastFilters ?? [:]
    boxes = OverviewBoxes(order: remembered.boxes ?? [], hidden: remembered.hiddenBoxes ?? [])
  }
}
