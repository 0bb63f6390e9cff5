import Subscriptions

/// Pending queries, at most one of each kind, because a newer query replaces an older one.
struct PendingRequests: Sendable {
  enum Kind: Hashable, Sendable {
    case panel, rows, chains, receipts, compared, queue
    case arranging, status, origins, alerts, suggestions, json, sweep, reconciliation

    static let ofLayers: [Kind] = [.chains, .rows, .receipts, .compared, .suggestions]
    var isOfScreen: Bool { [.panel, .rows, .chains, .receipts, .compared, .queue].contains(self) }
  }

  enum Purpose: Sendable {
    case open, refresh
  }

  enum Subject: Sendable {
    case none
    case panel(Question)
    case rows(RowsView)
    case chains(ChainQuery, at: Instant)
    case receipts(ReceiptQuestion)
    case compared(Comparison, Question)
    case list(String, isAtFirst: Bool)
    case reconciliation(WindowChoice, at: Instant?)
    /// Text of a search that no id equals.
    case unmatched(String)
  }

  struct Request: Sendable {
    var serial: Int
    var subject: Subject
    var purpose: Purpose
    var asked: Int64
    var read: Int?
    /// Report that has arrived and whose rows are being sorted and filtered.
    var report: Report?

    var isOfWhole: Bool {
      switch subject {
      case .panel(let question): question.limit == State.manyRows
      case .rows(let view): view.question.limit == State.manyRows
      default: false
      }
    }
  }

  private var requests: [Kind: Request] = [:]
  private var serial = 0
  /// Uptime of the last alert query; `nil` if alerts must be queried again.
  var alertsAsked: Int64?
  /// Whether the store or the window's length has changed since the last query for the current screen.
  var isOutdated = false
  /// Whether a key has changed the query, so that progress is shown at once.
  var isAwaited = false
  /// Uptime and time of the last refresh of the current screen.
  var (lastAsked, lastAskedAt): (Int64, Instant?) = (0, nil)
  /// Milliseconds that the last query of a panel or of rows took.
  var lastTook: Int64 = 0
  /// Name of the list that could not be read completely; `nil` after the next refresh.
  var unreadable: String?
  var failure: String?

  subscript(_ kind: Kind) -> Request? {
    get { requests[kind] }
    set { requests[kind] = newValue }
  }

  /// Uptime at the start of the oldest query that the screen waits for; `nil` if it waits for none.
  var oldest: Int64? { requests.filter { $0.key.isOfScreen }.map(\.value.asked).min() }

  /// Registers a query and returns its serial; answers to older queries of the same kind are then ignored.
  mutating func ask(
    _ kind: Kind, _ subject: Subject = .none, _ purpose: Purpose = .refresh, at uptime: Int64 = 0
  ) -> Int {
    serial += 1
    requests[kind] = Request(serial: serial, subject: subject, purpose: purpose, asked: uptime)
    return serial
  }

  func awaited(_ kind: Kind, _ serial: Int) -> Request? {
    requests[kind].flatMap { $0.serial == serial ? $0 : nil }
  }

  /// Ends the wait for an answer and returns its query; `nil` if the answer is not awaited.
  mutating func take(_ kind: Kind, _ serial: Int) -> Request? {
    awaited(kind, serial) == nil ? nil : requests.removeValue(forKey: kind)
  }

  mutating func drop(serial: Int) -> (kind: Kind, request: Request)? {
    guard let (kind, request) = requests.first(where: { $0.value.serial == serial }) else { return nil }
    requests[kind] = nil
    return (kind, request)
  }

  /// Drops pending queries that open or refresh layers, because the user goes elsewhere.
  mutating func leave() {
    for kind in Kind.ofLayers { requests[kind] = nil }
  }

  /// Drops pending queries that open a layer, but keeps queries that refresh one.
  mutating func stay() {
    for kind in Kind.ofLayers where requests[kind]?.purpose == .open {
      requests[kind] = nil
    }
  }
}
