import Screen
import Subscriptions

/// Complete state of the dashboard. Only `update(_:_:)` changes it.
public struct State: Sendable {
  /// Name of the store in the header: its path, or `demo`.
  public let storeName: String
  /// Whether commands that change something are disabled.
  public let isReadOnly: Bool
  public let glyphs: GlyphSet
  /// Fixed instant of the figures; `nil` if they follow the clock.
  public let fixedAt: Instant?
  public let refreshSchedule: RefreshSchedule

  public internal(set) var size: Size
  public internal(set) var now: Instant
  /// Monotonic clock in milliseconds.
  public internal(set) var uptime: Int64 = 0

  /// Days of the chosen window; `nil` is the whole history.
  var chosenDays: Int?
  public internal(set) var environment: EnvironmentScope
  var narrowing = Narrowing()
  var choices = NarrowingChoices()
  var movementSplit: MovementSplit?

  public package(set) var tab = Tab.panel(.overview)
  /// Screens on top of the tabs, the top one last.
  var layers: [Layer] = []
  public internal(set) var prompt: Prompt?
  var purpose = PromptPurpose.find
  var visitedOffer: VisitedOffer?
  var arrangements: [ListScreen: ListOptions] = [:]
  var cohortView = CohortView()
  /// Number of rows to query for each list, if it differs from `Question.screenLimit`.
  var reaches: [ListScreen: Int] = [:]
  /// Export that waits until its list is read completely.
  var awaitedExport: (list: ListScreen, path: String)?
  /// Last filter of each list, whether active or not.
  var lastFilters: [ListScreen: String] = [:]
  var commandHistory: [String] = []
  /// Selected completion or previous command; `nil` while the user types.
  var recalled: Recall?
  /// `nil` if no search is typed.
  var suggestions: Suggestions?
  var promptProblem: String?
  var panels: [Panel: PanelView] = [:]
  var sweepView = SweepView()
  var products = ProductNames()
  var notice: Notice?
  /// Oldest first.
  var messages: [Message] = []
  var visited = VisitedPlaces()
  /// Instant at which the screen was frozen. Queries of a frozen screen use this instant.
  var frozenAt: Instant? {
    didSet {
      frozenReceiving = receiving
      sweepView.isStill = oldValue == nil && tab == .sweep && sweepView.queue != nil
    }
  }
  var isFrozen: Bool { frozenAt != nil }
  /// Time of the last key that was typed for a prompt that did not open, in uptime.
  var blindTyping: Int64?
  var confirmation: SweepConfirmation?
  /// List that is read completely in order to sweep it.
  var awaitedSweep: ListScreen?
  public internal(set) var takesMouse: Bool
  public let keys: KeyMap
  public let themes: [String]
  public internal(set) var theme: String
  /// Theme without the user's choice.
  let standardTheme: String
  public let zones: [Zone]
  public internal(set) var zone: Zone

  public internal(set) var status: StoreStatus?
  public let hasAlerts: Bool
  public internal(set) var alerts: [AlertState] = []
  public internal(set) var sweep = SweepState()
  var receiving = Receiving.off
  /// State of the listener when the screen was frozen.
  private var frozenReceiving = Receiving.off
  /// Guide through the demonstration; `nil` if it was not requested or is done.
  public var guide: Guide?
  var pending = PendingRequests()

  public init(
    storeName: String, size: Size, now: Instant, glyphs: GlyphSet = .unicode, windowDays: Int = 28,
    environment: EnvironmentScope = .production, fixedAt: Instant? = nil, isReadOnly: Bool = false,
    refreshSchedule: RefreshSchedule = RefreshSchedule(), takesMouse: Bool = true, themes: [String] = [],
    theme: String = "",
    keys: KeyMap = .standard, zones: [Zone] = [.utc], zone: Zone = .utc, hasAlerts: Bool = false
  ) {
    self.storeName = storeName
    self.size = size
    self.now = now
    self.glyphs = glyphs
    chosenDays = windowDays
    self.environment = environment
    self.fixedAt = fixedAt
    self.isReadOnly = isReadOnly
    self.refreshSchedule = refreshSchedule
    self.takesMouse = takesMouse
    self.themes = themes
    self.theme = theme
    standardTheme = theme
    self.keys = keys
    self.zones = zones
    self.zone = zone
    self.hasAlerts = hasAlerts
  }

  /// As-of instant of the next query.
  public var asOf: Instant { fixedAt ?? asOfSweeps }

  /// As-of instant of queries for sweeps and receipts. The store has their current state only, so `fixedAt`
  /// does not apply.
  var asOfSweeps: Instant { frozenAt ?? now }

  /// State of the listener for the header. A frozen screen keeps showing the old one.
  var shownReceiving: Receiving { isFrozen && receiving != .prevented ? frozenReceiving : receiving }

  var formatter: DisplayFormatter {
    DisplayFormatter(glyphs: glyphs, products: products, zone: zone, isOfPast: fixedAt != nil)
  }

  /// Days of the window. The whole history begins with the first purchase; it counts as ten years until that
  /// date is known.
  public var windowDays: Int {
    if let chosenDays { return chosenDays }
    guard let first = status?.firstPurchaseMs else { return 3650 }
    return Window.days(since: first, upTo: asOf)
  }

  /// Window for the header and for files, such as `28 d`.
  var windowText: String {
    "\(chosenDays == nil ? "all, " : "")\(CountText.of(windowDays)) d"
  }

  /// `nil` is every product.
  public internal(set) var product: ProductID? {
    get { narrowing.product }
    set { narrowing.product = newValue }
  }

  var shownNarrowing: Narrowing { narrowing.told(by: panel) }

  /// Panel of the tab; `nil` for the sweep tab.
  public var panel: Panel? { if case .panel(let panel) = tab { panel } else { nil } }

  var tabIndex: Int { Tab.all.firstIndex(of: tab) ?? 0 }
}

/// Intervals of automatic actions, in milliseconds.
public struct RefreshSchedule: Hashable, Sendable {
  /// Interval of refreshes, because ages and states change with the clock; `nil` disables them.
  public var refresh: Int64?
  /// Pause between two automatic sweeps of due receipts; `nil` disables them.
  public var sweep: Int64?

  public init(refresh: Int64? = 60_000, sweep: Int64? = nil) {
    self.refresh = refresh
    self.sweep = sweep
  }
}

/// Earlier toast, for the list of messages.
struct Message: Hashable, Sendable {
  /// Time by the clock of the figures, which may run fast.
  var at: Instant
  var toast: Toast
}

/// Toast that is currently shown.
struct Notice: Sendable {
  var toast: Toast
  /// End of its display, in uptime.
  var until: Int64
}

/// Selected completion or previous command, and the text typed before.
struct Recall: Hashable, Sendable {
  var typed: String
  var index: Int
  /// Whether it is a previous command rather than a completion.
  var isOfHistory: Bool
}

/// Key hints in the bottom line, for drawing and for clicks.
extension State {
  var keyHints: KeyHints {
    KeyHints(
      keys.hints(
        in: context, readOnly: isReadOnly, isTop: layers.isEmpty && shownNarrowing.isEmpty,
        isPaused: sweep.isPauseWanted, without: uselessCommands))
  }

  func hintColumns(in rect: Rect) -> Int {
    guard let width = toastColumns, width <= rect.columns else { return rect.columns }
    return max(0, rect.columns - width - 1)
  }

  var toastColumns: Int? { notice.map { TextWidth.of($0.toast.text, in: glyphs) + 4 } }

  private var uselessCommands: Set<Command> {
    var useless: Set<Command> =
      sweep.isActive ? [.sweepDue, .sweepAll, .sweepDead] : [.pauseOrResume, .stopSweep]
    if page?.wholeListing == nil { useless.insert(.filter) }
    if let queue = sweepView.queue, queue.dead.isEmpty { useless.insert(.sweepDead) }
    if case .rows(let view)? = layers.last?.content, view.subject.figures.count < 2 {
      useless.insert(.nextFigure)
    }
    return useless
  }
}

extension State {
  mutating func show(theme name: String) -> [Effect] {
    theme = name
    say("Theme \(name).")
    return [.setTheme(name)]
  }

  /// Changes the time zone. Refreshes, because times are formatted when an answer arrives.
  mutating func show(in zone: Zone) -> [Effect] {
    guard zone != self.zone else {
      say("Times are in \(zone.name); the configuration's time_zones adds others.")
      return []
    }
    self.zone = zone
    say("Times in \(zone.name).")
    redrawStill()
    return refresh()
  }

  /// Draws the cohorts that were read in another way.
  mutating func viewCohorts(_ change: (inout CohortView, FigureValues) -> Void) {
    guard let view = panels[.cohorts] else { return }
    change(&cohortView, view.report.data)
    let blocks = view.report.blocks(in: formatter, isSweeping: sweep.isActive, cohorts: cohortView)
    panels[.cohorts]?.page = view.page.redrawn(blocks)
    settle()
  }

  mutating func showFurther() -> [Effect] {
    if case .chain? = layers.last?.content {
      showFieldsOfChain()
      return []
    }
    guard case .evidence(let view)? = layers.last?.content else { return [] }
    return [.encode(view.chain, serial: pending.ask(.json))]
  }

  /// Opens the fields of a chain, which filters and exports apply to.
  mutating func showFieldsOfChain() {
    guard case .chain(let view)? = layers.last?.content else { return }
    let page = Page([view.chain.evidence(in: formatter)], arrangement(of: .evidence))
    layers.append(Layer(content: .evidence(view), page: page))
    settle()
  }
}
