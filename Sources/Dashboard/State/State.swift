import Screen
import Subscriptions

/// All that the dashboard knows; changed by `update` alone.
public struct State: Sendable {
  /// What stands in the header for the store: its path, or `demo`.
  public let storeName: String
  /// Strips every command that changes something.
  public let isReadOnly: Bool
  public let glyphs: GlyphSet
  /// The instant that figures are of, where it does not move.
  public let fixedAt: Instant?
  public let rhythm: Rhythm

  public internal(set) var size: Size
  public internal(set) var now: Instant
  /// Milliseconds by a clock that nobody sets.
  public internal(set) var uptime: Int64 = 0

  /// Days of the window that was chosen; nil is all that is known.
  var chosenDays: Int?
  public internal(set) var environment: EnvironmentScope
  /// What alone is shown.
  var narrowing = Narrowing()
  /// What of the store it can be narrowed to.
  var choices = NarrowingChoices()
  /// By what the movement is told apart; nil shows it as a whole.
  var movementSplit: MovementSplit?

  public package(set) var tab = Tab.panel(.overview)
  /// What stands over the tabs, the topmost last.
  var layers: [Layer] = []
  public internal(set) var prompt: Prompt?
  /// What becomes of what is typed.
  var purpose = PromptPurpose.find
  /// The offer that was found and is shown alone; nil where none is.
  var visitedOffer: VisitedOffer?
  /// How somebody wants to see each screen's list, by the screen.
  var arrangements: [ListScreen: Arrangement] = [:]
  var cohortView = CohortView()
  /// How many rows of each screen's list are asked for, where somebody went further than the first ones.
  var reaches: [ListScreen: Int] = [:]
  /// What is to be written, and where to, as soon as all of it has been read.
  var awaitedExport: (list: ListScreen, path: String)?
  /// What was last filtered by on each, whether it still is or not.
  var lastFilters: [ListScreen: String] = [:]
  /// Commands that were typed, the newest last.
  var commandHistory: [String] = []
  /// Where one is among what the line may become; nil while it is typed.
  var recalled: Recall?
  /// What is being looked for may be one of these; nil where nothing is typed.
  var suggestions: Suggestions?
  /// What is wrong with what is being typed.
  var promptProblem: String?
  var panels: [Panel: PanelView] = [:]
  var sweepView = SweepView()
  /// Product ids as they are shown, by all that have been seen.
  var products = ProductNames()
  var notice: Notice?
  /// What has been said, the oldest first.
  var messages: [Message] = []
  var visited = VisitedPlaces()
  /// Nothing is read anew until somebody says so, and what is asked meanwhile is asked of this instant.
  var frozenAt: Instant? {
    didSet {
      frozenReceiving = receiving
      sweepView.isStill = oldValue == nil && tab == .sweep && sweepView.queue != nil
    }
  }
  var isFrozen: Bool { frozenAt != nil }
  /// When somebody last typed into a line that did not open, in uptime; nil where nobody does.
  var blindTyping: Int64?
  /// A sweep that waits for a yes.
  var confirmation: SweepConfirmation?
  /// The list of which all is being read since it is to be swept.
  var awaitedSweep: ListScreen?
  public internal(set) var takesMouse: Bool
  public let keys: KeyMap
  /// The names of those that there are, and the one that is drawn in.
  public let themes: [String]
  public internal(set) var theme: String
  /// The one that is drawn in where nobody chose another.
  let standardTheme: String
  /// Those that times can be shown in, and the one that they are.
  public let zones: [Zone]
  public internal(set) var zone: Zone

  public internal(set) var status: StoreStatus?
  /// Whether the configuration has alerts, and what became of them.
  public let hasAlerts: Bool
  public internal(set) var alerts: [AlertState] = []
  public internal(set) var sweep = SweepState()
  var receiving = Receiving.off
  /// It as the screen came to stand still.
  private var frozenReceiving = Receiving.off
  /// Leads through a demonstration; nil where nobody asked for it, and after its end.
  public var guide: Guide?
  var pending = PendingRequests()

  public init(
    storeName: String, size: Size, now: Instant, glyphs: GlyphSet = .unicode, windowDays: Int = 28,
    environment: EnvironmentScope = .production, fixedAt: Instant? = nil, isReadOnly: Bool = false,
    rhythm: Rhythm = Rhythm(), takesMouse: Bool = true, themes: [String] = [], theme: String = "",
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
    self.rhythm = rhythm
    self.takesMouse = takesMouse
    self.themes = themes
    self.theme = theme
    standardTheme = theme
    self.keys = keys
    self.zones = zones
    self.zone = zone
    self.hasAlerts = hasAlerts
  }

  /// The as-of instant of figures that are asked next.
  public var asOf: Instant { fixedAt ?? asOfSweeps }

  /// That of sweeps, receipts and what waits for a sweep, which are of now at a fixed instant too: what was due in the past is not kept.
  var asOfSweeps: Instant { frozenAt ?? now }

  /// What the head tells of notifications: those that come while the screen stands still wait, as all else that is new.
  var shownReceiving: Receiving { isFrozen && receiving != .prevented ? frozenReceiving : receiving }

  var wording: Wording { Wording(glyphs: glyphs, products: products, zone: zone, isOfPast: fixedAt != nil) }

  /// Days of the window. All that is known begins before the first purchase; it is ten years until that is read.
  public var windowDays: Int {
    if let chosenDays { return chosenDays }
    guard let first = status?.firstPurchaseMs else { return 3650 }
    return Window.days(since: first, upTo: asOf)
  }

  /// `28 d`, for the header and for files.
  var windowText: String {
    "\(chosenDays == nil ? "all, " : "")\(CountText.of(windowDays)) d"
  }

  /// The only product shown; nil shows every product.
  public internal(set) var product: ProductID? {
    get { narrowing.product }
    set { narrowing.product = newValue }
  }

  /// What alone the panel shows.
  var shownNarrowing: Narrowing { narrowing.told(by: panel) }

  /// The panel of the tab; nil where it shows no report.
  public var panel: Panel? { if case .panel(let panel) = tab { panel } else { nil } }

  /// The tab shown, as tabs are numbered.
  var tabIndex: Int { Tab.all.firstIndex(of: tab) ?? 0 }
}

/// What the dashboard does by itself, in milliseconds of uptime.
public struct Rhythm: Hashable, Sendable {
  /// How often the figures are asked for anew, since ages and states move with the clock; nil never.
  public var refresh: Int64?
  /// How long after a sweep the next of what is due begins; nil leaves sweeping to the person.
  public var sweep: Int64?

  public init(refresh: Int64? = 60_000, sweep: Int64? = nil) {
    self.refresh = refresh
    self.sweep = sweep
  }
}

/// What was said once.
struct Message: Hashable, Sendable {
  /// By the clock that figures are of.
  var at: Instant
  var toast: Toast
}

/// A toast and when it goes.
struct Notice: Sendable {
  var toast: Toast
  /// In uptime.
  var until: Int64
}

/// Which of the lines that could stand in the prompt does, and what had been typed before.
struct Recall: Hashable, Sendable {
  var typed: String
  var index: Int
  /// Whether it was typed before, and is not what the line may become.
  var isOfHistory: Bool
}

/// The line of keys at the foot, as it is drawn and as it is clicked on.
extension State {
  var keyHints: KeyHints {
    KeyHints(
      keys.hints(
        in: context, readOnly: isReadOnly, isTop: layers.isEmpty && shownNarrowing.isEmpty,
        isPaused: sweep.isPauseWanted, without: uselessCommands))
  }

  /// What a toast leaves of the line.
  func hintColumns(in rect: Rect) -> Int {
    guard let width = toastColumns, width <= rect.columns else { return rect.columns }
    return max(0, rect.columns - width - 1)
  }

  /// Columns of the toast that shows; nil where none does.
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

/// How things are shown, apart from where one is among them.
extension State {
  mutating func show(theme name: String) -> [Effect] {
    theme = name
    say("Theme \(name).")
    return [.setTheme(name)]
  }

  /// Times are put into words when an answer comes, so that everything is asked for anew.
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
    let blocks = view.report.blocks(in: wording, isSweeping: sweep.isActive, cohorts: cohortView)
    panels[.cohorts]?.page = view.page.redrawn(blocks)
    settle()
  }

  /// From a chain to what is known of it field by field, and from there to what programs read.
  mutating func showFurther() -> [Effect] {
    if case .chain? = layers.last?.content {
      showFieldsOfChain()
      return []
    }
    guard case .evidence(let view)? = layers.last?.content else { return [] }
    return [.encode(view.chain, serial: pending.ask(.json))]
  }

  /// The list that a chain has: what is filtered and written of it.
  mutating func showFieldsOfChain() {
    guard case .chain(let view)? = layers.last?.content else { return }
    let page = Page([view.chain.evidence(in: wording)], arrangement(of: .evidence))
    layers.append(Layer(content: .evidence(view), page: page))
    settle()
  }
}
