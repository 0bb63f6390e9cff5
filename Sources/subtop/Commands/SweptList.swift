import Dashboard
import ReceiptStore
import Screen
import Subscriptions

/// List of receipts for `sweep --panel` and `--where`.
struct SweptList {
  /// Panel to sweep; `nil` for all subscriptions that are running, unverified or in billing retry.
  let panel: Panel?
  /// Figure whose rows are swept; `nil` for the panel's own list or, if it has no list, for all its figures.
  let figure: String?
  /// Filter in the syntax of the dashboard's `/`; empty for every row.
  let filter: String
  let environment: EnvironmentScope
  let program: SmallBusinessProgram

  private static let mostRows = 100_000

  var problem: String? {
    guard let panel else { return nil }
    guard panel.listsSubscriptions || !panel.figureNames.isEmpty else {
      return "\(panel.rawValue) has no list of subscriptions to sweep."
    }
    return figure.flatMap(panel.problem(withFigure:))
  }

  func selection(in store: ReceiptStore, at now: Instant) throws -> SweepSelection {
    var chains: [OriginalTransactionID] = []
    var problems: [Filter.Problem] = []
    var isUnderstood = false
    for alternatives in lists {
      // Uses the first alternative that has the filter's columns.
      for (panel, figure) in alternatives {
        do {
          (chains, isUnderstood) = (chains + (try self.chains(panel, figure, store, now)), true)
          break
        } catch let problem as Filter.Problem {
          problems.append(problem)
        }
      }
    }
    if !isUnderstood, let problem = problems.first(where: \.isOfWord) ?? problems.first {
      throw Failure(.usage, "--where is not valid: \(printable(problem.sentence, atMost: 300))")
    }
    let ids = try store.receiptIDs(holding: chains)
    let words = [
      panel?.rawValue ?? "subscriptions", figure ?? "",
      filter.isEmpty ? "" : "/" + filter.withoutSecrets.harmless,
    ]
    return .listed(ListedReceipts(ids, of: words.filter { !$0.isEmpty }.joined(separator: " ")))
  }

  /// Lists to combine, each with alternatives; the first alternative that fits the filter is used.
  private var lists: [[(Panel, String?)]] {
    guard let panel else { return [[(.active, nil)], [(.billingRetry, "lines"), (.billingRetry, nil)]] }
    return [[(panel, figure)]]
  }

  private func chains(
    _ panel: Panel, _ figure: String?, _ store: ReceiptStore, _ now: Instant
  ) throws -> [OriginalTransactionID] {
    var question = Question(panel: panel, at: now, environment: environment, limit: Self.mostRows)
    question.smallBusinessProgram = program
    let path = figure.flatMap { FigurePath($0, of: panel) }
    let asked = path.map(question.narrowed) ?? question
    if figure == nil, panel.listsSubscriptions {
      let report = try store.report(asked)
      if let total = report.unlistedTotal { throw Self.tooLong(total) }
      return try report.chains(matching: filter, products: try products(of: store))
    }
    let rows = try store.rows(behind: asked, figure: path?.name)
    let products = try products(of: store)
    guard rows.count <= rows.rows.count else { throw Self.tooLong(rows.count) }
    return try rows.chains(
      matching: filter, panel: panel, figure: path?.name, environment: environment,
      products: products, at: now)
  }

  private func products(of store: ReceiptStore) throws -> Set<ProductID> {
    guard !filter.isEmpty else { return [] }
    return try store.knownNames().products
  }

  private static func tooLong(_ count: Int) -> Failure {
    Failure(
      .usage,
      "the list has \(CountText.of(count)) rows, but at most \(CountText.of(mostRows)) can be swept at once; narrow it with --figure, or pass --all"
    )
  }
}

extension Panel {
  func problem(withFigure name: String) -> String? {
    guard !name.contains("*") else {
      return
        "\(printable(name)) stands for several figures of \(rawValue); replace the * with one, as named in the report's JSON."
    }
    guard FigurePath(name, of: self) == nil else { return nil }
    guard !figureNames.isEmpty else { return "\(rawValue) has only rows, no figures." }
    return "\(rawValue) has no figure \(printable(name)); it has: \(figureNames.joined(separator: ", "))."
  }
}
