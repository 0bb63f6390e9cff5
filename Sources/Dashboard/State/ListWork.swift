import Subscriptions

/// List to sort and filter, on another thread if it is so long that it would delay the response to a key.
public struct ListWork: Hashable, Sendable {
  enum Source: Hashable, Sendable {
    case page(Page)
    case rows(FigureRows, RowsView.Subject, EnvironmentScope, OfferUses?, DisplayFormatter)
    case report(Report, DisplayFormatter, PanelOptions)
  }

  let source: Source
  let arrangement: ListOptions

  /// Maximum number of rows that are arranged without another thread.
  static let atOnce = 2000

  public func done() -> Page {
    switch source {
    case .page(let page): page.arranged(by: arrangement)
    case .rows(let rows, let subject, let environment, let uses, let formatter):
      Page(
        rows.forecastBlocks(subject.figure, at: formatter.now, in: formatter) + [
          rows.block(
            panel: subject.panel, figure: subject.figure, environment: environment, uses: uses, in: formatter)
        ],
        arrangement)
    case .report(let report, let formatter, let options):
      Page(report.blocks(in: formatter, options), arrangement)
    }
  }
}

extension Report {
  var listedRows: Int {
    let figures = data
    return figures.unpaid.count + figures.upgrades.count + figures.events.count
  }
}
