import Subscriptions

/// A list to be drawn up or arranged that is too long for somebody to wait for while a key is answered: done on another thread, and
/// taken in by `Event.arranged`.
public struct ListWork: Hashable, Sendable {
  enum Source: Hashable, Sendable {
    /// A list that is to show in another way.
    case page(Page)
    /// What came of a question.
    case rows(FigureRows, RowsView.Subject, EnvironmentScope, OfferUses?, Wording)
    case report(Report, Wording, isSweeping: Bool, isReadOnly: Bool, cohorts: CohortView)
  }

  let source: Source
  let arrangement: Arrangement

  /// Rows of a list that are arranged at once.
  static let atOnce = 2000

  public func done() -> ArrangedList { ArrangedList(page: page) }

  var page: Page {
    switch source {
    case .page(let page): page.arranged(by: arrangement)
    case .rows(let rows, let subject, let environment, let uses, let wording):
      Page(
        [
          rows.block(
            panel: subject.panel, figure: subject.figure, environment: environment, uses: uses, in: wording)
        ],
        arrangement)
    case .report(let report, let wording, let isSweeping, let isReadOnly, let cohorts):
      Page(
        report.blocks(in: wording, isSweeping: isSweeping, isReadOnly: isReadOnly, cohorts: cohorts),
        arrangement)
    }
  }
}

/// A list as it is to show.
public struct ArrangedList: Sendable {
  let page: Page
}

extension Report {
  /// Rows of the panel's list.
  var listedRows: Int {
    let figures = data
    return figures.unpaid.count + figures.upgrades.count + figures.events.count
  }
}
