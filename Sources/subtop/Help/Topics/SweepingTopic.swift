import Subscriptions
import Sweep

extension HelpTopic {
  static let sweeping = HelpTopic(
    "sweeping", "When receipts are asked about, and what is believed of the answers"
  ) {
    let (due, options, giveUp) = (DuePolicy.standard, SweepOptions(), GiveUpPolicy.standard)
    let span = DurationText.of
    let before = due.aroundExpiry.filter { $0 < 0 }.map { span(-$0) }.joined(separator: ", ")
    let after = due.aroundExpiry.filter { $0 >= 0 }.map(span).joined(separator: ", ")
    return HelpBlock.text(
      """
      `subtop sweep`, from cron or with `s` in the dashboard, asks Apple about the receipts that are due. It can be left to itself.

          */15 * * * *  /usr/local/bin/subtop sweep

      ## What is due

      All of this is configuration; these are the defaults.

      - around an expiry: \(before) before and \(after) after
      - in a trial: every \(span(due.trial)); in billing retry: every \(span(due.billingRetry))
      - in grace: every \(span(due.grace))
      - in mid-period: every \(span(due.active)), to see refunds and auto-renew switched off
      - expired by its dates, and nobody has asked since: every \(span(due.overdue))
      - lapsed: every \(span(due.lapsed)), after \(span(due.longLapsedAfter)) every \(span(due.longLapsed))
      - what the configuration calls important: every \(span(due.important.every)) in the last \(span(due.important.within)) before it expires

      `subtop status` and the Sweep tab tell what that costs in requests a day, and when the next ones come due. `--all`,
      `--user`, `--receipt` and `--chain` ask at once, and so do those of a list:

          subtop sweep --panel billing-retry --where 'days>10'
          subtop sweep --panel active --figure by_kind.winback
          subtop sweep --where 'state:billing_retry product:pro'

      `--panel` takes the subscriptions that a panel lists, or counts where it lists none, `--figure` those behind one figure of it, and
      `--where` those whose row a filter matches, by the same columns as the dashboard's `/` (`subtop help lists`): of the panel's list, or
      of the rows behind the figure. Without a panel the rows are every subscription that runs, is not confirmed yet or is in billing retry.

      ## How it asks

      Production is asked first, and the sandbox only where Apple says so. The number of requests in flight follows how the App Store
      answers, below `--concurrency` (\(options.concurrency)) and `--rate`. Retry-After is obeyed, up to an hour, by later sweeps too. An App
      Store that fails all the time ends the sweep early, with 75.

      Through the App Store Server API a customer is asked about with two requests: for the transactions that are new or changed since the
      last time, by the revision that Apple gave then, and for the statuses of all subscriptions. Everything that comes back has to be
      signed by the App Store, for the app and the environment that were asked. Apple takes \(Int(options.serverAPIRate ?? 0)) requests a second of each app at each
      address, and a tenth of it in the sandbox, which is the limit here too.

      Several sweeps may run at once: each receipt is leased to one of them. A lease that a killed sweep held ends at once where its
      process can be seen to be gone, else after \(span(options.lease)).

      ## What it believes

      A failure that may pass is tried again, up to \(options.tries) times within the sweep and then at growing intervals. A receipt is given up,
      which means that it is no longer asked about, when Apple says

      - twice running that it is not authentic or that its account is gone, for \(span(giveUp.verdictSpan)) at least and nothing else in between if it was valid before
      - \(giveUp.malformedTries) times running that it is malformed, if it never was valid
      - or when it failed \(giveUp.tries) times or more in \(span(giveUp.span)) or longer

      An outage never has a receipt given up: nothing is believed in a sweep in which every fourth receipt fails so, or every twentieth
      with 21002, or in which nobody is answered. The reason is kept, the history stays, and `subtop sweep --dead` asks again.

      An answer that is about another receipt, app or environment, by what the receipt itself says, is dropped, and the receipt is
      asked about again. So is one that nobody trusted has signed; for that no customer is given up.

      21004, a wrong shared secret, three times running stops that app's receipts, leaves them as they were and ends with 78. Other apps
      are swept on. A 401 of the Server API in production and in the sandbox, three times running, does the same: the message names the
      key and says how far this machine's clock is from Apple's. So do answers about three
      customers, or about all where there are fewer, that nobody trusted has signed as they came, where no other answer for that app came
      signed as it should: the message says what is wrong with them and which keys of the configuration to check.

      ## What an end leaves behind

      Each answer is committed whole or not at all. A sweep that is killed loses nothing: the next one takes over, and `subtop sweeps`
      lists it as killed. Receipts that another sweep is still working on end this one with 75.

      ## Monitoring

      `--format json` prints one object, `--format openmetrics` gauges for the textfile collector of a node exporter. This script
      shows it each file only once it is whole:

          #!/bin/sh
          cd /var/lib/node_exporter || exit
          /usr/local/bin/subtop sweep --format openmetrics >subtop.$$
          [ -s subtop.$$ ] && mv subtop.$$ subtop.prom || rm subtop.$$

      `stopped` in the JSON says why a sweep ended before it was through, or left an app out; where it did not it is null:

      \(SweepSummary.Stop.allCases.map { "- \($0.rawValue): \($0.meaning)" }.joined(separator: "\n"))
      """)
  }
}
