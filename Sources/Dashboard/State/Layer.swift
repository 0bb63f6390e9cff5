import Screen
import Subscriptions

/// Screen on top of the tabs.
struct Layer: Sendable {
  enum Content: Sendable {
    case rows(RowsView)
    /// Results of a search that found several chains.
    case chains(ChainQuery, [ChainReport])
    /// A chain at an instant; its fields and its JSON have cases of their own.
    case chain(ChainReport, at: Instant)
    case evidence(ChainReport, at: Instant)
    case json(String, at: Instant)
    case receipts(ReceiptsView)
    case compared(ComparedView)
    case products
    case comparisons, alerts, boxes, help, messages, howTo
    case reconciled(ReconciledFigure, CurrencyCode?)
  }

  var content: Content
  var page: Page
}

extension Layer {
  /// Instant of the content; `nil` if the content has the same instant as the panel below.
  var at: Instant? {
    switch content {
    case .rows(let rows): rows.question.at
    case .chain(_, let at), .evidence(_, let at), .json(_, let at): at
    case .receipts(let shown): shown.at
    case .compared(let shown): shown.reports.this.asOfMs
    case .chains, .products, .help, .messages, .comparisons, .alerts, .boxes, .howTo, .reconciled: nil
    }
  }

  /// Title of the screen, context of its keys, and name of its list (`nil` if the layer has no list).
  private var traits: (name: String, context: KeyContext, list: String?) {
    switch content {
    case .rows(let shown):
      (FigureWords(shown.subject.figure, of: shown.subject.panel).name, .rows, shown.subject.panel.rowList)
    case .chains(let query, _): ("Results for \(query.text)", .chains, "chains")
    case .chain(let chain, _): ("Subscription history \(chain.originalTransactionId)", .chain, nil)
    case .evidence: ("Fields", .evidence, "evidence")
    case .json: ("JSON", .json, nil)
    case .receipts(let shown): (shown.name, .receipts, "receipts")
    case .compared(let shown):
      ("\(shown.question.panel.title) compared", .compared, shown.question.panel.comparedList)
    case .products: ("Show only", .products, "products")
    case .comparisons: ("Compare", .products, "comparisons")
    case .alerts: ("Alerts", .products, "alerts")
    case .boxes: ("Boxes", .products, "boxes")
    case .howTo: ("Apple's reports", .products, nil)
    case .reconciled(let figure, _): (figure.words, .reconcile, "reconciled")
    case .help: ("Keys", .help, "keys")
    case .messages: ("Messages", .messages, "messages")
    }
  }

  var name: String { traits.name }
  var context: KeyContext { traits.context }
  var list: String? { traits.list }
}

struct PanelView: Sendable {
  var report: Report
  var question: Question
  var page: Page
}

struct SweepView: Sendable {
  var queue: QueueReport?
  var readAt: Instant?
  var isDrawn = true
  /// Whether the frozen screen keeps its queue, because the store has no queue of a past instant.
  var isStill = false
  /// Milliseconds that the last query of the queue took.
  var readingTime: Int64 = 0
  var page = Page()
}

struct RowsView: Sendable {
  /// Figures of a breakdown, with the index of the figure whose rows are shown.
  struct Subject: Hashable, Sendable {
    var panel: Panel
    var figures: [String]
    var index = 0
    /// Query of each figure; empty if all figures have the panel's query.
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

enum ChainQuery: Hashable, Sendable {
  case id(String)
  case receipt(ReceiptID)

  var text: String {
    switch self {
    case .id(let id): id
    case .receipt(let id): "receipt \(id)"
    }
  }
}

struct ReceiptsView: Sendable {
  var lines: ReceiptLines
  var name: String
  var at: Instant
  /// Start of the freeze during which the list is not read again; `nil` if the screen was not frozen.
  var stillAt: Instant?
}

struct ComparedView: Sendable {
  var comparison: Comparison
  /// Query from which the queries of both sides derive.
  var question: Question
  var reports: ComparedReports
}

/// Blocks of a screen, with the sort order and filter of its list, and the cursor.
public struct Page: Hashable, Sendable {
  private let drawn: [Block]
  let blocks: [Block]
  let arrangement: ListOptions
  var cursor: ListCursor

  init(_ drawn: [Block] = [], _ arrangement: ListOptions = ListOptions(), cursor: ListCursor = ListCursor()) {
    self.drawn = drawn
    self.arrangement = arrangement
    self.cursor = cursor
    blocks = drawn.map { block in
      guard block.span == .main, let listing = block.listing else { return block }
      var block = block
      let arranged = listing.arranged(by: arrangement)
      block.body = .listing(arranged)
      let (title, brief) = (block.title, block.brief)
      block.title = Self.title(title, arrangement, arranged) + listing.alike
      block.brief = brief.map { Self.title($0, arrangement, arranged) }
      return block
    }
  }

  /// Returns the title with the number of matching rows and the chosen order, which replaces "newest first".
  private static func title(
    _ title: StyledText, _ arrangement: ListOptions, _ listing: Listing
  ) -> StyledText {
    guard let sort = arrangement.sort else { return title + listing.matching }
    let own = ", newest first"
    let order = TextSpan(
      ", by \(sort.field)\(listing.sortedCurrencies)\(sort.isDescending ? ", descending" : "")")
    guard let last = title.spans.last, last.text.hasSuffix(own) else {
      return title + listing.matching + [order]
    }
    let rest = TextSpan(String(last.text.dropLast(own.count)), last.style)
    return StyledText(title.spans.dropLast() + [rest]) + listing.matching + [order]
  }

  func arranged(by arrangement: ListOptions) -> Page { Page(drawn, arrangement, cursor: cursor) }

  func redrawn(_ blocks: [Block]) -> Page { Page(blocks, arrangement, cursor: cursor) }

  var main: Int? { blocks.firstIndex { $0.span == .main } }

  /// List, sorted and filtered; `wholeListing` has all rows.
  var listing: Listing? { blocks.first { $0.span == .main }?.listing }
  var wholeListing: Listing? { drawn.first { $0.span == .main }?.listing }
}

extension Listing {
  /// Number of matching rows and their sum: `, 23 match, USD 120.00`.
  fileprivate var matching: StyledText {
    guard !filterText.isEmpty else { return [] }
    let sum = sum.isEmpty ? "" : ", \(MoneyText.brief(sum))"
    return [TextSpan(", \(CountText.of(rows.count)) match\(sum)", .accent)]
  }
}

extension Panel {
  var rowList: String { "\(rawValue) rows" }
  var comparedList: String { "\(rawValue) compared" }
}
