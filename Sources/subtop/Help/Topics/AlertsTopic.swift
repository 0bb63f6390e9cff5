import Subscriptions

extension HelpTopic {
  static let alerts = HelpTopic("alerts", "Being told when a figure is out of bounds") {
    HelpBlock.text(
      """
      Under [alerts] of the configuration stands a name and a condition for each:

          [alerts]
          churn = "churn_rate > 6%"
          retry = "billing_retry.mrr_at_risk > 500"
          fresh = "fresh < 95%"
          refunds = "refunds today > 3x usual"
          pro = "new in 7d product com.example.pro.monthly < 50% below usual"

      A condition is a figure, what it is of where that is said, one of >, <, >= and <=, and a value.

      ## Figures

      One of the names below, or a panel with a path of its JSON, as `subtop report` prints it: `churn.voluntary`,
      `movement.mrr.lost`, `active.by_product.com.example.pro.paid`. They are of production. What a path names that is not there now,
      such as a product without subscriptions, is unknown.

      ## Of what

      - today: of the last 24 hours.
      - in 7d, in 4w: of so many days or weeks; without it what happens is counted over \(AlertCondition.standardDays) days.
      - product ID: of one product.

      ## Values

      - A number, as in `billing_retry > 200`.
      - A share of figures that are shares, as in `churn_rate > 6%`.
      - An amount with its currency, as in `sales today < 1000 EUR`. Of a reporting currency it is all of the figure; of another
      it is what there is in that currency, since currencies are never added. Without a currency it is of the reporting currency, or of the
      only one that anything was bought in; where there are several, the alert is unknown until a currency is named.
      - `3x usual`, `20% above usual`, `20% below usual`; the sign of multiplication does as well as an x. Usual is the median of the figure at the same time of the same
      weekday over eight weeks, the week before being the first. Where not all of the eight are known it is unknown, and the alert is
      neither raised nor over.

      ## Who is told

      The dashboard's head shows what is raised, and A lists all alerts; Enter opens the rows of one's figure. `subtop status` prints them
      as well, and `subtop status --alerts` them alone: it ends with 1 where one is raised.

      The sweep that sees an alert raised tells of it, `subtop sweep` as well as the dashboard's: it runs the program `command`, or
      posts to the address `webhook`, or both. That is done once; the next time is when the alert is over, and then when it is raised
      again. What could not be told is told by the next sweep. Of an alert whose figure has become unknown nothing is told.

          [alerts]
          command = ["notify-send", "subtop: {name}", "{message}"]
          webhook = "https://hooks.example.com/subtop"

      The program is run without a shell, with nothing to read; what it writes goes nowhere. The webhook gets JSON with `alert`, `state`
      (raised or cleared), `condition`, `message`, `at_ms`, `raised_since_ms`, `value`, `limit` and `usual`; an answer of 200 to 299 is a success.

      ## Names of figures
      """)
      + [.terms(AlertFigure.aliases.map { HelpBlock.Term($0.name, $0.words) })]
      + [.heading("Paths of the panels")]
      + Panel.allCases.flatMap { panel -> [HelpBlock] in
        let paths = AlertFigure.paths(of: panel)
        return paths.isEmpty ? [] : [.paragraph("\(panel.rawValue): " + paths.joined(separator: ", "))]
      }
  }
}
