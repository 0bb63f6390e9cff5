import Subscriptions

/// What has been asked and not been answered: of each kind only the newest question counts.
struct PendingRequests: Sendable {
  struct Load: Sendable {
    var serial: Int
    var question: Question
    /// When it was asked, in uptime.
    var asked: Int64
  }

  struct Find: Sendable {
    enum Purpose: Sendable {
      case open
      case refresh
    }

    var serial: Int
    var sought: Sought
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
  }

  /// What waits to be asked about.
  struct Queue: Sendable {
    var serial: Int
    var asked: Int64
  }

  var load: Load?
  var find: Find?
  var rows: Rows?
  var queue: Queue?
  var status: Int?
  /// A chain that is to be shown as programs read it.
  var json: Int?
  /// Whether the store has changed since what is shown was asked for.
  var isOutdated = false
  /// When what is shown was last asked for, in uptime.
  var lastAsked: Int64 = 0
  /// Why what is shown could not be read anew.
  var failure: String?
  private var serial = 0

  /// When the longest of what is shown next was asked for, in uptime.
  var oldest: Int64? { [load?.asked, find?.asked, rows?.asked, queue?.asked].compactMap { $0 }.min() }

  mutating func nextSerial() -> Int {
    serial += 1
    return serial
  }
}
