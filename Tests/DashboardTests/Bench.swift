import Dashboard
import Screen
import Subscriptions

/// Dashboard under test, whose queries are answered immediately with sample data.
struct Bench {
  private(set) var state: State
  private(set) var effects: [Effect] = []
  var answers = true
  var report: (Question) -> Report = Sample.report
  var otherReport: (Question) -> Report = Sample.otherReport
  var alerts: [AlertState] = []
  var rows: (Question, String) -> FigureRows = Sample.rows
  var suggestions: (String) -> IDSuggestions = { _ in IDSuggestions() }
  var origins = Sample.origins
  var queue = Sample.queue
  var status = Sample.status
  var reconciliation: Reconciliation?
  var payouts: [Payout] = []
  /// Days of Apple's reports outside the window.
  var reported: ClosedRange<CivilDate>?
  var estimate = SweepEstimate(free: 2963, held: 0, rate: 300)
  var receipts: (ReceiptQuestion) -> ReceiptLines = Sample.receipts
  var chains: (String) -> [ChainReport] = { id in
    switch id {
    case "user-4821": [Sample.chain, Sample.otherChain]
    case "story": [Sample.story]
    case "nobody": []
    default: [Sample.chain]
    }
  }

  init(
    _ columns: Int = 80, _ rows: Int = 24, glyphs: GlyphSet = .unicode, isReadOnly: Bool = false,
    refreshSchedule: RefreshSchedule = RefreshSchedule(refresh: nil),
    environment: EnvironmentScope = .production,
    keys: KeyMap = .standard, alerts: [AlertState] = [], fixedAt: Instant? = nil, isTemporary: Bool = false
  ) {
    self.alerts = alerts
    state = State(
      storeName: "demo", size: Size(columns: columns, rows: rows), now: Sample.now, glyphs: glyphs,
      environment: environment, fixedAt: fixedAt, isReadOnly: isReadOnly, refreshSchedule: refreshSchedule,
      themes: ["plain", "other", "light"], theme: "plain", isTemporary: isTemporary, keys: keys,
      zones: [.utc, Sample.tokyo], zone: .utc,
      hasAlerts: !alerts.isEmpty)
  }

  static func opened(
    _ columns: Int = 80, _ rows: Int = 24, glyphs: GlyphSet = .unicode, isReadOnly: Bool = false
  ) -> Bench {
    var bench = Bench(columns, rows, glyphs: glyphs, isReadOnly: isReadOnly)
    bench.send(.opened)
    return bench
  }

  mutating func guide(to customer: AppUserID) { state.guide = Guide(customer: customer) }

  mutating func start(on tab: Tab) {
    state.tab = tab
    send(.opened)
  }

  mutating func remember(_ remembered: Remembered) { state.remember(remembered) }

  @discardableResult
  mutating func send(_ event: Event) -> [Effect] {
    let wanted = update(&state, event)
    effects += wanted
    guard answers else { return wanted }
    for effect in wanted {
      switch effect {
      case .load(let question, let serial): send(.loaded(report(question), serial: serial))
      case .loadRows(let question, let figure, let serial):
        send(.rowsLoaded(rows(question, figure), serial: serial))
      case .loadCompared(let question, let comparison, let serial):
        send(
          .comparedLoaded(
            report(comparison.this(question)), with: otherReport(comparison.that(question)), serial: serial))
      case .loadAlerts(_, let serial): send(.alertsLoaded(alerts, serial: serial))
      case .find(let id, _, let serial): send(.found(chains(id), serial: serial))
      case .findReceipt(_, _, let serial): send(.found([Sample.chain], serial: serial))
      case .encode(let chain, let serial):
        send(.encoded(Sample.json(chain), serial: serial))
      case .loadOrigins(let serial): send(.originsLoaded(origins, serial: serial))
      case .loadStatus(_, let serial): send(.statusLoaded(status, serial: serial))
      case .loadReconciliation(_, _, let serial):
        send(.reconciled(reconciliation, payouts, reported: reported, serial: serial))
      case .loadQueue(_, let serial): send(.queueLoaded(queue, serial: serial))
      case .countSweep(let request, _, let serial):
        send(.sweepCounted(Self.selection(request), estimate, serial: serial))
      case .loadReceipts(let question, _, _, let serial):
        send(.receiptsLoaded(receipts(question), serial: serial))
      case .arrange(let work, let serial): send(.arranged(work.done(), serial: serial))
      case .suggest(let text, let serial): send(.suggested(suggestions(text), serial: serial))
      case .run, .stopRows, .startSweep, .sweepFirst, .pauseSweep, .resumeSweep, .stopSweep, .quit, .suspend,
        .redraw, .copy,
        .export,
        .setMouse, .setTheme:
        break
      }
    }
    return wanted
  }

  /// Selection as if each chain had one receipt with its number.
  private static func selection(_ request: SweepRequest) -> SweepSelection {
    switch request {
    case .selection(let selection): selection
    case .chains(let chains, let name):
      .listed(ListedReceipts(chains.compactMap { Int64($0.rawValue) }.map(ReceiptID.init), of: name))
    case .receipts(let ids, let name): .listed(ListedReceipts(ids, of: name))
    case .answering(let question, let name):
      .listed(ListedReceipts(Sample.receipts(question).rows.map(\.id), of: name))
    }
  }

  func newest<Value>(_ value: (Effect) -> Value?) -> Value? {
    effects.reversed().lazy.compactMap(value).first
  }

  var lastQuestion: Question? { newest { if case .load(let question, _) = $0 { question } else { nil } } }

  var lastSerial: Int { newest { if case .load(_, let serial) = $0 { serial } else { nil } } ?? 0 }

  var lastEncoded: Int { newest { if case .encode(_, let serial) = $0 { serial } else { nil } } ?? 0 }

  var lastRows: (question: Question, figure: String, serial: Int)? {
    newest { effect in
      if case .loadRows(let question, let figure, let serial) = effect {
        (question, figure, serial)
      } else {
        nil
      }
    }
  }

  var lastQueue: (at: Instant, serial: Int)? {
    newest { if case .loadQueue(let at, let serial) = $0 { (at, serial) } else { nil } }
  }

  var queueReads: Int { effects.count { if case .loadQueue = $0 { true } else { false } } }

  var lastCount: (request: SweepRequest, at: Instant, serial: Int)? {
    newest {
      if case .countSweep(let request, let at, let serial) = $0 { (request, at, serial) } else { nil }
    }
  }

  var lastSearch: (id: String, serial: Int)? {
    newest { if case .find(let id, _, let serial) = $0 { (id, serial) } else { nil } }
  }

  var lastTyped: (text: String, serial: Int)? {
    newest { if case .suggest(let text, let serial) = $0 { (text, serial) } else { nil } }
  }

  var lastCopy: String? { newest { if case .copy(let text, _) = $0 { text } else { nil } } }

  var lastExport: TableExport? { newest { if case .export(let table, _) = $0 { table } else { nil } } }

  mutating func change(_ panel: Panel, _ change: @escaping (inout FigureValues) -> Void) {
    report = { question in
      var report = Sample.report(question)
      if question.panel == panel { change(&report.data) }
      return report
    }
  }

  /// Switches to a panel, independent of its key.
  mutating func show(_ panel: Panel) {
    state.tab = .panel(panel)
    press("R")
  }

  mutating func wait(_ milliseconds: Int64) {
    send(.tick(now: state.now + milliseconds, uptime: state.uptime + milliseconds))
  }

  /// Presses keys by name, such as `2`, `j`, `enter` and `^R`, and types other words letter by letter.
  ///
  /// - Returns: Effects of the last key.
  @discardableResult
  mutating func press(_ names: String...) -> [Effect] {
    var wanted: [Effect] = []
    for name in names {
      for key in Self.keys(name) { wanted = send(.input(.key(key))) }
    }
    return wanted
  }

  private static let named: [String: Key] = Dictionary(
    uniqueKeysWithValues: [
      Key.up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .enter, .escape, .tab, .backTab,
      .backspace, .controlUp, .controlDown, .controlLeft, .controlRight,
    ].map { ($0.name.lowercased(), $0) })

  private static func keys(_ name: String) -> [Key] {
    if let key = named[name.lowercased()] { return [key] }
    if name.count == 2, name.hasPrefix("^"), let letter = name.lowercased().last { return [.control(letter)] }
    return name.map { .character($0) }
  }

  var canvas: Canvas {
    var canvas = Canvas(size: state.size, glyphs: state.glyphs)
    view(state, on: &canvas)
    return canvas
  }

  var screen: String { canvas.text().joined(separator: "\n") }

  var words: String { screen.words }
}

extension String {
  /// Text without frames and line breaks, with single spaces.
  var words: String { split { $0.isWhitespace || $0 == "│" }.joined(separator: " ") }
}
