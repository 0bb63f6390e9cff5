extension OfferFigures {
  init(
    _ counts: EpisodeCounts, _ course: LedgerCourse, _ question: Question, pending: [Pending]
  ) {
    self.init()
    offers = counts.offers.sorted { left, right in
      left.started == right.started ? left.path < right.path : left.started > right.started
    }
    priceIncreases.asked = counts["price_increases.asked"].rows
    priceIncreases.agreed = counts["price_increases.agreed"].rows
    priceIncreases.running = counts["price_increases.running"].rows
    priceIncreases.lapsed = counts["price_increases.lapsed"].rows
    priceIncreases.pending = counts["price_increases.pending"].rows
    priceIncreases.lost = PanelCounts(.offers, course.sums, question)["price_increases.lost"].lines
    self.pending = pending
    optOuts.turnedOff = counts["opt_outs.turned_off"].rows
    optOuts.turnedOnAgain = counts["opt_outs.turned_on_again"].rows
    optOuts.lapsed = counts["opt_outs.lapsed"].rows
    optOuts.running = counts["opt_outs.running"].rows
    let atStake = counts["opt_outs.at_stake"]
    (optOuts.atStake, optOuts.atStakeMrr) = (atStake.rows, atStake.amounts)
  }
}
