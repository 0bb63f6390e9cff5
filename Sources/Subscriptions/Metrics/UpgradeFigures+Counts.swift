extension UpgradeFigures {
  /// - Parameter course: that of the question's window.
  init(_ course: LedgerCourse, _ facts: FactCounts, _ question: Question, rows: [Entry]) {
    self.init()
    immediate.upgrade = facts["immediate.upgrade"]
    immediate.crossgrade = facts["immediate.crossgrade"]
    immediate.unranked = facts["immediate.unranked"]
    (confirmed, estimated) = (facts["confirmed"], facts["estimated"])
    proratedRefund = facts.amounts("prorated_refund")
    (unpriced, undated) = (facts["unpriced"], facts["undated"])
    atRenewal.downgrade = facts["at_renewal.downgrade"]
    atRenewal.crossgrade = facts["at_renewal.crossgrade"]
    atRenewal.unranked = facts["at_renewal.unranked"]
    pending = PanelCounts(.upgrades, course.sums, question)["pending"].lines
    self.rows = rows
  }
}
