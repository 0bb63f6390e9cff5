import Screen
import Subscriptions

/// State of the reconcile tab, whose result the overview shows too.
struct ReconcileView: Sendable {
  /// Comparison with Apple; `nil` before the first answer, and if no daily report is in the window.
  var reconciliation: Reconciliation?
  var payouts: [Payout] = []
  /// Whether the store has changed since the pending query.
  var isOutdated = false
  var page = Page()
}

extension State {
  mutating func askReconciliation() -> [Effect] {
    guard origin == nil else { return [] }
    if case .reconciliation(chosenWindow, fixedAt)? = pending[.reconciliation]?.subject {
      // If each change of the store replaced the query, a slow answer would never be shown.
      reconciled.isOutdated = true
      return []
    }
    reconciled.isOutdated = false
    let serial = pending.ask(.reconciliation, .reconciliation(chosenWindow, at: fixedAt))
    return [.loadReconciliation(window, isOfPast: fixedAt != nil, serial: serial)]
  }

  mutating func show(
    _ reconciliation: Reconciliation?, _ payouts: [Payout], _ reported: ClosedRange<CivilDate>?, serial: Int
  ) -> [Effect] {
    guard pending.take(.reconciliation, serial) != nil else { return [] }
    (reconciled.reconciliation, reconciled.payouts) = (reconciliation, payouts)
    let panel = reconciledPanel
    let others = reported.map(ReconcilePanel.noReports) ?? ReconcilePanel.howTo
    let blocks = panel.map { $0.blocks($0.reconciliation.totals) } ?? [others]
    reconciled.page = Page(blocks, arrangement(of: Tab.reconcile.name), cursor: reconciled.page.cursor)
    if let view = panels[.overview] {
      let page = view.page.redrawn(self.blocks(of: view.report))
      panels[.overview]?.page = page
    }
    if case .reconciled(let figure, let currency)? = top, let panel {
      page = page?.redrawn(panel.blocks(behind: figure, currency))
    }
    settle()
    return reconciled.isOutdated ? askReconciliation() : []
  }

  private var reconciledPanel: ReconcilePanel? {
    reconciled.reconciliation.map {
      ReconcilePanel(reconciliation: $0, payouts: reconciled.payouts, formatter: formatter)
    }
  }

  mutating func open(_ figure: ReconciledFigure, _ currency: CurrencyCode?) {
    guard let panel = reconciledPanel else { return }
    push(.reconciled(figure, currency), panel.blocks(behind: figure, currency))
  }

  mutating func showHowTo() {
    if case .howTo? = top { return }
    push(.howTo, [ReconcilePanel.howTo])
  }
}
