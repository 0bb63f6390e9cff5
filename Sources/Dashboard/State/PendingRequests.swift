import Subscriptions

/// Queries that are not answered yet. Only the newest one of each kind counts.
struct PendingRequests: Sendable {
  struct Load: Sendable {
    var serial: Int
    var question: Question
    /// Start time in uptime.
    var asked: Int64
    /// The answer, while its list is prepared.
    var report: Report?
  }

  struct Find: Sendable {
    enum Purpose: Sendable {
      case open
      case refresh
    }

    var serial: Int
    var query: ChainQuery
    var at: Instant
    var purpose: Purpose
    var asked: Int64
  }

  struct Rows: Sendable {
    var serial: Int
    var subject: RowsView.Subject
    var question: Question
    var purpose: Find.Purpose
    var asked: Int64
    var read: (rows: Int, all: Int)?
  }

  struct Arranging: Sendable {
    var serial: Int
    var list: ListScreen
    var isAtFirst: Bool
  }

  struct Compared: Sendable {
    var serial: Int
    var comparison: Comparison
    var question: Question
    var purpose: Find.Purpose
    var asked: Int64
  }

  struct Queue: Sendable {
    var serial: Int
    var asked: Int64
  }

  struct Receipts: Sendable {
    var serial: Int
    var question: ReceiptQuestion
    var purpose: Find.Purpose
    var asked: Int64
  }

  /// Queries that only need their serial.
  enum Kind: Sendable {
    case status, origins, alerts
    case suggestions
    case json
  }

  var load: Load?
  var find: Find?
  var rows: Rows?
  var queue: Queue?
  var receipts: Receipts?
  var arranging: Arranging?
  var compared: Compared?
  private var serials: [Kind: Int] = [:]
  /// Time of the last alert query, in uptime; `nil` if alerts must be queried again.
  var alertsAsked: Int64?
  /// Whether the store has changed since the last query for the current screen.
  var isOutdated = false
  /// Whether the query or its parameters changed by a key. The progress is then shown at once, because the
  /// visible figures are those of another query.
  var isAwaited = false
  /// Time of the last query for the current screen, in uptime.
  var lastAsked: Int64 = 0
  /// Milliseconds that the last answer took.
  var lastTook: Int64 = 0
  /// List that could not be read completely; `nil` after the next query.
  var unreadable: ListScreen?
  var failure: String?
  private var serial = 0

  var oldest: Int64? {
    [load?.asked, find?.asked, rows?.asked, queue?.asked, receipts?.asked, compared?.asked]
      .compactMap { $0 }.min()
  }

  /// Drops pending openings and refreshes, because the user goes elsewhere.
  mutating func leave() {
    (find, rows, receipts) = (nil, nil, nil)
  }

  /// Drops pending openings, but keeps refreshes.
  mutating func stay() {
    if find?.purpose == .open { find = nil }
    if rows?.purpose == .open { rows = nil }
    if receipts?.purpose == .open { receipts = nil }
  }

  /// Starts a query. Answers to older ones of the kind are ignored.
  mutating func ask(_ kind: Kind) -> Int {
    let serial = nextSerial()
    serials[kind] = serial
    return serial
  }

  func isWaiting(for kind: Kind) -> Bool { serials[kind] != nil }

  mutating func drop(_ kind: Kind) { serials[kind] = nil }

  /// Returns whether the answer is awaited, and ends the wait.
  mutating func take(_ kind: Kind, _ serial: Int) -> Bool {
    guard serials[kind] == serial else { return false }
    serials[kind] = nil
    return true
  }

  mutating func drop(serial: Int) -> Bool {
    serials.first { $0.value == serial }.map { take($0.key, serial) } ?? false
  }

  mutating func nextSerial() -> Int {
    serial += 1
    return serial
  }
}
