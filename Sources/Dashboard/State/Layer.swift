import Subscriptions

/// A screen on top of the tabs.
struct Layer: Sendable {
  enum Content: Sendable {
    case rows(RowsView)
    /// Chains found by an id that matches several.
    case chains(ChainsView)
    case chain(ChainView)
    case receipts(ReceiptsView)
    case evidence(ChainView)
    case json(JSONView)
    /// Choice of a product, storefront or offer.
    case products
    case help
    case comparisons
    case compared(ComparedView)
    case alerts
    case messages
  }

  var content: Content
  var page: Page
}

extension Layer {
  /// Instant of the content; `nil` if it is that of the panel.
  var at: Instant? {
    switch content {
    case .rows(let rows): rows.question.at
    case .chain(let shown), .evidence(let shown): shown.at
    case .json(let shown): shown.at
    case .receipts(let shown): shown.at
    case .compared(let shown): shown.reports.this.asOfMs
    case .chains, .products, .help, .messages, .comparisons, .alerts: nil
    }
  }
}

/// State of a panel that was loaded.
struct PanelView: Sendable {
  var report: Report
  var question: Question
  var page: Page
}

struct SweepView: Sendable {
  var queue: QueueReport?
  var readAt: Instant?
  /// Whether the page shows the newest `queue`.
  var isDrawn = true
  /// Whether a frozen screen has shown the queue, which then is not read again: the store has the queue's
  /// current state only.
  var isStill = false
  /// Milliseconds that the last query of the queue took.
  var readingTime: Int64 = 0
  var page = Page()
}

struct RowsView: Sendable {
  /// Figure that is open, and the others of its breakdown.
  struct Subject: Hashable, Sendable {
    var panel: Panel
    var figures: [String]
    var index: Int
    /// Queries of each figure, if they differ from the panel's.
    var sides: [Side] = []

    struct Side: Hashable, Sendable {
      var name: String
      var question: Question
    }

    var figure: String { figures.indices.contains(index) ? figures[index] : "" }
  }

  var subject: Subject
  var question: Question
}

struct ChainsView: Sendable {
  var query: ChainQuery
  var chains: [ChainReport]
}

struct ChainView: Sendable {
  var chain: ChainReport
  /// Instant at which the chain was judged.
  var at: Instant
}

struct ReceiptsView: Sendable {
  var lines: ReceiptLines
  var name: String
  var at: Instant
  /// Instant of the frozen screen that has shown the list, which then is not read again: the store has the
  /// receipts' current state only.
  var stillAt: Instant?

  var question: ReceiptQuestion { lines.question }
}

struct JSONView: Sendable {
  var text: String
  /// Instant at which the chain was judged.
  var at: Instant
}

struct ComparedView: Sendable {
  var comparison: Comparison
  /// Query from which both sides derive.
  var question: Question
  var reports: ComparedReports
  var title: String
}
