import Screen
import Subscriptions

/// Complete state of the dashboard, which only `update(_:_:)` changes after the start.
public struct State: Sendable {
  /// Name of the store in the header: its path, or `demo` with the speed of its clock.
  public let storeName: String
  public let isReadOnly: Bool
  /// Whether the store is deleted when the dashboard quits, so that a question warns of this first.
  public let isTemporary: Bool
  public let glyphs: GlyphSet
  /// Fixed instant of the figures; `nil` if they follow the clock.
  public let fixedAt: Instant?
  public let refreshSchedule: RefreshSchedule

  public internal(set) var size: Size
  public internal(set) var now: Instant
  /// Monotonic clock in milliseconds.
  public internal(set) var uptime: Int64 = 0

  var chosenWindow = WindowChoice.days(28)
  public internal(set) var environment: EnvironmentScope
  var narrowing = Narrowing()
  var choices = NarrowingChoices()
  var movementSplit: MovementSplit?

  public package(set) var tab = Tab.panel(.overview) {
    didSet { if tab != .panel(.offers) { foundOffer = nil } }
  }
  /// Screens on top of the tabs, the top one last.
  var layers: [Layer] = []
  var prompting: Prompting?
  /// Uptime of the last key that was typed for a prompt that did not open.
  var blindTyping: Int64?
  /// Offer that a search has found, which determines window and filter of the offers panel.
  var foundOffer: String? {
    // The message about the offer disappears with it.
    didSet {
      let isItsOwn = notice?.toast.text.hasSuffix(Self.everyOfferAgain) == true
      if foundOffer == nil, oldValue != nil, isItsOwn { notice = nil }
    }
  }
  static let everyOfferAgain = ", over the whole history; Esc shows all offers."
  var arrangements: [String: ListOptions] = [:]
  var cohortView = CohortView()
  var boxes = OverviewBoxes()
  /// Number of rows to query for each list, if it differs from `Question.screenLimit`.
  var reaches: [String: Int] = [:]
  /// List to export to a path, or to sweep if the path is `nil`, once it has been read completely.
  var awaitedList: (name: String, path: String?)?
  /// Paths of this session's exports, whether or not they succeeded.
  var exported: Set<String> = []
  /// Last filter entered at each list's prompt, active or not, for the keys that seek its matches.
  var lastFilters: [String: String] = [:]
  var commandHistory: [String] = []
  var panels: [Panel: PanelView] = [:]
  var sweepView = SweepView()
  var reconciled = ReconcileView()
  var products = ProductNames()
  var notice: Message?
  /// Key that was pressed to quit; a second press while the message is shown quits.
  var quitKey: Key?
  var messages: [Message] = []
  var visited = VisitedPlaces()
  /// Instant of the freeze, or of a refresh since then; `nil` if the screen is not frozen.
  var frozenAt: Instant? {
    didSet {
      frozenReceiving = receiving
      sweepView.isStill = oldValue == nil && tab == .sweep && sweepView.queue != nil
      guard oldValue == nil, case .receipts(var view)? = top else { return }
      view.stillAt = frozenAt
      layers[layers.count - 1].content = .receipts(view)
    }
  }
  var isFrozen: Bool { frozenAt != nil }
  var confirmation: SweepConfirmation?
  public internal(set) var takesMouse: Bool
  public let keys: KeyMap
  public let themes: [String]
  public internal(set) var theme: String
  var isThemeChosen = false
  let standardTheme: String
  public let zones: [Zone]
  public internal(set) var zone: Zone

  public internal(set) var status: StoreStatus?
  public let hasAlerts: Bool
  public internal(set) var alerts: [AlertState] = []
  public internal(set) var sweep = SweepState()
  var receiving = Receiving.off
  private var frozenReceiving = Receiving.off
  public var guide: Guide?
  var pending = PendingRequests()
  /// Server that a shared view reads; `nil` for a store on this machine.
  public var origin: SharedOrigin?

  public init(
    storeName: String, size: Size, now: Instant, glyphs: GlyphSet = .unicode,
    environment: EnvironmentScope = .production, fixedAt: Instant? = nil, isReadOnly: Bool = false,
    refreshSchedule: RefreshSchedule = RefreshSchedule(), takesMouse: Bool = true, themes: [String] = [],
    theme: String = "", isTemporary: Bool = false,
    keys: KeyMap = .standard, zones: [Zone] = [.utc], zone: Zone = .utc, hasAlerts: Bool = false
  ) {
    (self.storeName, self.size, self.now, self.glyphs) = (storeName, size, now, glyphs)
    (self.environment, self.fixedAt) = (environment, fixedAt)
    (self.isReadOnly, self.refreshSchedule, self.takesMouse) = (isReadOnly, refreshSchedule, takesMouse)
    (self.themes, self.theme, standardTheme, self.keys) = (themes, theme, theme, keys)
    (self.zones, self.zone, self.hasAlerts, self.isTemporary) = (zones, zone, hasAlerts, isTemporary)
  }

  public var prompt: Prompt? { prompting?.line }

  /// As-of instant of queries for figures and chains.
  public var asOf: Instant { fixedAt ?? asOfSweeps }

  /// As-of instant of queries for sweeps and receipts, which have no history, so `fixedAt` does not apply.
  var asOfSweeps: Instant { frozenAt ?? now }

  /// State of the listener for the header; a frozen screen keeps the earlier state, except for `prevented`.
  var shownReceiving: Receiving { isFrozen && receiving != .prevented ? frozenReceiving : receiving }

  var formatter: DisplayFormatter {
    DisplayFormatter(glyphs: glyphs, products: products, zone: zone, isOfPast: fixedAt != nil, now: asOf)
  }

  private var windowToAsk: WindowChoice { foundOffer == nil ? chosenWindow : .all }

  func asked(_ question: Question) -> Question {
    windowToAsk.asked(question, in: zone, since: status?.firstPurchaseMs)
  }

  public var window: Window { asked(Question(panel: .overview, at: asOf)).window }

  /// Window for the header and for files, such as `28 d` or `2026-09`.
  var windowText: String { (windowToAsk == .all ? "all, " : "") + window.words }

  public internal(set) var product: ProductID? {
    get { narrowing.product }
    set { narrowing.product = newValue }
  }

  var shownNarrowing: Narrowing { narrowing.supported(by: panel) }

  public var panel: Panel? { if case .panel(let panel) = tab { panel } else { nil } }

  var tabIndex: Int { Tab.all.firstIndex(of: tab) ?? 0 }

  var top: Layer.Content? { layers.last?.content }

  var shownChain: ChainReport? { if case .chain(let chain, _)? = top { chain } else { nil } }

  var chosenChain: ChainReport? {
    if case .found(let index)? = drillDown { return foundChains.dropFirst(index).first }
    return shownChain
  }

  var listName: String? { layers.last.map(\.list) ?? tab.name }

  func arrangement(of list: String) -> ListOptions {
    var arrangement = arrangements[list] ?? ListOptions()
    if list == Panel.offers.rawValue, let foundOffer { arrangement.filter = "offer=\"\(foundOffer)\"" }
    return arrangement
  }

  package var arrangement: ListOptions { listName.map(arrangement(of:)) ?? ListOptions() }
}

/// Intervals of automatic actions, in milliseconds.
public struct RefreshSchedule: Hashable, Sendable {
  /// Interval of refreshes, which update ages and states; `nil` disables them.
  public var refresh: Int64?
  /// Pause between the end of a sweep and an automatic sweep of due receipts; `nil` disables these.
  public var sweep: Int64?

  public init(refresh: Int64? = 60_000, sweep: Int64? = nil) {
    self.refresh = refresh
    self.sweep = sweep
  }
}

/// Toast with its time, also for the list of messages.
struct Message: Hashable, Sendable {
  /// Time on the clock of the figures, which may run fast in a demo.
  var at: Instant
  var toast: Toast
  /// Uptime at which the toast disappears.
  var until: Int64 = 0
}

extension State {
  var keyHints: KeyHints {
    let (context, useless) = (context, uselessCommands)
    return KeyHints(
      keys.bindings(readOnly: isReadOnly).compactMap { binding in
        guard binding.hinted.contains(context), !useless.contains(binding.command),
          let key = binding.keys.first, let hint = binding.hint
        else { return nil }
        switch binding.command {
        case .leave where !isAtTop: return KeyHint(key.name, "back")
        case .json where context == .evidence: return KeyHint(key.name, "JSON")
        case .pauseOrResume where sweep.isPauseWanted: return KeyHint(key.name, "resume")
        default: return KeyHint(key.name, hint)
        }
      })
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
    if tab != .panel(.overview) { useless.insert(.boxes) }
    let listing = page?.listing
    let isSweepable = listing?.rows.contains { listing?[row: $0.id]?.drillDown?.isSweepable == true }
    if isSweepable != true { useless.formUnion([.sweepList, .mark]) }
    if let queue = sweepView.queue, queue.dead.isEmpty { useless.insert(.sweepDead) }
    if case .rows(let view)? = top, view.subject.figures.count < 2 {
      useless.insert(.nextFigure)
    }
    return useless
  }
}

extension State {
  mutating func show(theme name: String) -> [Effect] {
    (theme, isThemeChosen) = (name, true)
    say("Theme \(name).")
    return [.setTheme(name)]
  }

  /// Changes the time zone and refreshes, because times are formatted when an answer arrives.
  mutating func show(in zone: Zone) -> [Effect] {
    guard zone != self.zone else {
      return say("Times are in \(zone.name). Set time_zones in the configuration to add others.")
    }
    self.zone = zone
    say("\(window.period == nil ? "Times" : "Times and months") in \(zone.name).")
    redrawStill()
    return refresh()
  }

  mutating func viewCohorts(_ change: (inout CohortView, FigureValues) -> Void) {
    guard let view = panels[.cohorts] else { return }
    change(&cohortView, view.report.data)
    let page = view.page.redrawn(blocks(of: view.report))
    panels[.cohorts]?.page = page
    settle()
  }

  var panelOptions: PanelOptions {
    PanelOptions(
      isSweeping: sweep.isActive, isReadOnly: isReadOnly, cohorts: cohortView, boxes: boxes,
      reconciled: reconciled.reconciliation?.headlinePart)
  }

  func blocks(of report: Report) -> [Block] {
    report.blocks(in: formatter, panelOptions)
  }

  mutating func showFurther() -> [Effect] {
    if case .evidence(let chain, _)? = top { return [.encode(chain, serial: pending.ask(.json))] }
    showFieldsOfChain()
    return []
  }

  /// Opens the fields of the current chain or of one transaction, as a list to filter or export.
  mutating func showFieldsOfChain(_ transaction: TransactionID? = nil) {
    guard let chain = chosenChain else { return }
    push(.evidence(chain, at: layers.last?.at ?? asOf), [chain.evidence(of: transaction, in: formatter)])
  }

  mutating func push(_ content: Layer.Content, _ blocks: [Block]) {
    layers.append(layer(content, blocks))
    settle()
  }

  func layer(_ content: Layer.Content, _ blocks: [Block]) -> Layer {
    var layer = Layer(content: content, page: Page())
    layer.page = Page(blocks, layer.list.map(arrangement(of:)) ?? ListOptions())
    return layer
  }
}
