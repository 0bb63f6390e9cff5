import Subscriptions

/// What has been asked and not been answered: of each kind only the newest question counts.
struct PendingRequests: Sendable {
  struct Load: Sendable {
    var serial: Int
    var question: Question
    /// When it was asked, in uptime.
    var asked: Int64
    /// The answer, while its list is drawn up.
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

  /// The rows behind a figure.
  struct Rows: Sendable {
    var serial: Int
    var subject: RowsView.Subject
    var question: Question
    var purpose: Find.Purpose
    var asked: Int64
    /// How far they are.
    var read: (rows: Int, all: Int)?
  }

  /// A list that is to show in another way.
  struct Arranging: Sendable {
    var serial: Int
    var list: ListScreen
    var isAtFirst: Bool
  }

  /// Two reports beside each other.
  struct Compared: Sendable {
    var serial: Int
    var comparison: Comparison
    var question: Question
    var purpose: Find.Purpose
    var asked: Int64
  }

  /// What waits to be asked about.
  struct Queue: Sendable {
    var serial: Int
    var asked: Int64
  }

  /// Receipts by what the sweeps' panel counts.
  struct Receipts: Sendable {
    var serial: Int
    var question: ReceiptQuestion
    var purpose: Find.Purpose
    var asked: Int64
  }

  /// Questions that are known by their serials alone.
  enum Kind: Sendable {
    case status, origins, alerts
    /// Ids that what is being typed may be a part of.
    case suggestions
    /// A chain that is to be shown as programs read it.
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
  /// When alerts were last asked about, in uptime; nil never, or not since what they are of has changed.
  var alertsAsked: Int64?
  /// Whether the store has changed since what is shown was asked for.
  var isOutdated = false
  /// Whether a key changed what the figures are of, which is said at once: those that show are of something else.
  var isAwaited = false
  /// When what is shown was last asked for, in uptime.
  var lastAsked: Int64 = 0
  /// Milliseconds that the newest answer took.
  var lastTook: Int64 = 0
  /// A list that could not be read to its end; nil once it is asked for anew.
  var unreadable: ListScreen?
  /// Why what is shown could not be read anew.
  var failure: String?
  private var serial = 0

  /// When the longest of what is shown next was asked for, in uptime.
  var oldest: Int64? {
    [load?.asked, find?.asked, rows?.asked, queue?.asked, receipts?.asked, compared?.asked]
      .compactMap { $0 }.min()
  }

  /// Somebody goes elsewhere: what was to open does not any more.
  mutating func leave() {
    (find, rows, receipts) = (nil, nil, nil)
  }

  /// Somebody stays: what was to open does not, what is read anew does.
  mutating func stay() {
    if find?.purpose == .open { find = nil }
    if rows?.purpose == .open { rows = nil }
    if receipts?.purpose == .open { receipts = nil }
  }

  /// Asks anew; an answer to what was asked before does not count any more.
  mutating func ask(_ kind: Kind) -> Int {
    let serial = nextSerial()
    serials[kind] = serial
    return serial
  }

  func isWaiting(for kind: Kind) -> Bool { serials[kind] != nil }

  mutating func drop(_ kind: Kind) { serials[kind] = nil }

  /// Whether it is waited for, which ends with it.
  mutating func take(_ kind: Kind, _ serial: Int) -> Bool {
    guard serials[kind] == serial else { return false }
    serials[kind] = nil
    return true
  }

  /// Gives up one of these questions; false where it is none that is waited for.
  mutating func drop(serial: Int) -> Bool {
    serials.first { $0.value == serial }.map { take($0.key, serial) } ?? false
  }

  mutating func nextSerial() -> Int {
    serial += 1
    return serial
  }
}
