import Subscriptions

/// A screen over the tabs.
enum Layer: Sendable {
  /// What a figure is made of.
  case rows(RowsView)
  /// The chains that an id led to, when it led to several.
  case chains(ChainsView)
  case chain(ChainView)
  /// A chain as programs read it.
  case json(JSONView)
  /// The products, of which one can be shown alone.
  case products(Page)
  case help(Page)
}

extension Layer {
  /// The instant that what is shown is of; nil where that is the panel's.
  var at: Instant? {
    switch self {
    case .rows(let rows): rows.question.at
    case .chain(let shown): shown.at
    case .json(let shown): shown.at
    case .chains, .products, .help: nil
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

    var figure: String { figures.indices.contains(index) ? figures[index] : "" }
  }

  var subject: Subject
  /// What the rows answer.
  var question: Question
  var page: Page
}

struct ChainsView: Sendable {
  var sought: Sought
  var chains: [ChainReport]
  var page: Page
}

struct ChainView: Sendable {
  var chain: ChainReport
  /// The instant it was judged at.
  var at: Instant
  var page: Page
}

struct JSONView: Sendable {
  var text: String
  /// The instant the chain was judged at.
  var at: Instant
  var page: Page
}
