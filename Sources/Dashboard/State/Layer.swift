import Subscriptions

/// A screen over the tabs.
struct Layer: Sendable {
  enum Content: Sendable {
    /// What a figure is made of.
    case rows(RowsView)
    /// The chains that an id led to, when it led to several.
    case chains(ChainsView)
    case chain(ChainView)
    /// Receipts that the sweeps' panel counts.
    case receipts(ReceiptsView)
    /// What is known of a chain, field by field.
    case evidence(ChainView)
    /// A chain as programs read it.
    case json(JSONView)
    /// The products, of which one can be shown alone.
    case products
    case help
    /// What the panel can be compared with.
    case comparisons
    /// Two reports beside each other.
    case compared(ComparedView)
    /// What the configuration wants to be told of.
    case alerts
    /// What has been said so far.
    case messages
  }

  var content: Content
  var page: Page
}

extension Layer {
  /// The instant that what is shown is of; nil where that is the panel's.
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

/// One panel as it was last seen.
struct PanelView: Sendable {
  var report: Report
  /// What the report answers.
  var question: Question
  var page: Page
}

/// The sweeps as they were last seen.
struct SweepView: Sendable {
  /// Nil until it is known.
  var queue: QueueReport?
  /// When it was read.
  var readAt: Instant?
  /// Whether the page shows what was read last, also where the screen stands still.
  var isDrawn = true
  /// Whether a screen that stands still has shown it, so that it is not read again: what waits for a sweep is known of now alone.
  var isStill = false
  /// Milliseconds that the queue took to be read.
  var readingTime: Int64 = 0
  var page = Page()
}

/// The rows behind a figure, as they were last seen.
struct RowsView: Sendable {
  /// Which of a breakdown's figures is opened.
  struct Subject: Hashable, Sendable {
    var panel: Panel
    var figures: [String]
    var index: Int
    /// What the figures are of, one by one, where that is not what the panel shows.
    var sides: [Side] = []

    /// A question with a name.
    struct Side: Hashable, Sendable {
      var name: String
      var question: Question
    }

    var figure: String { figures.indices.contains(index) ? figures[index] : "" }
  }

  var subject: Subject
  /// What the rows answer.
  var question: Question
}

struct ChainsView: Sendable {
  var query: ChainQuery
  var chains: [ChainReport]
}

struct ChainView: Sendable {
  var chain: ChainReport
  /// The instant it was judged at.
  var at: Instant
}

struct ReceiptsView: Sendable {
  var lines: ReceiptLines
  /// In words, as the list's title and the way back have it.
  var name: String
  var at: Instant
  /// At which a screen that stands still has shown it, so that it is not read again: what receipts are like is known of now alone.
  var stillAt: Instant?

  var question: ReceiptQuestion { lines.question }
}

struct JSONView: Sendable {
  var text: String
  /// The instant the chain was judged at.
  var at: Instant
}

/// A panel's figures beside others, as they were last seen.
struct ComparedView: Sendable {
  var comparison: Comparison
  /// What both sides are made of.
  var question: Question
  var reports: ComparedReports
  var title: String
}
