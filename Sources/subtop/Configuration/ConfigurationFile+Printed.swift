import Subscriptions
import Sweep

extension ConfigurationFile {
  /// Every key with what it does and its value by default, as a file that could be used as it is.
  static var printed: String {
    let due = DuePolicy.standard
    let important = due.important
    let sweep = SweepOptions()
    let text = DurationText.of
    return """
      # subtop's configuration: $XDG_CONFIG_HOME/subtop/config.toml, or --config PATH. Every key may be left out; what stands
      # here is how it is then. Spans of time are 90s, 30m, 6h, 7d or 2w.

      # Where verifyReceipt is asked: https, or http on this machine alone.
      production_url = "\(sweep.production)"
      sandbox_url = "\(sweep.sandbox)"

      # Time zones that times are shown in, the first one first: names of the tz database, UTC, or local for this machine's.
      # App Store Connect's reports are in the last of these.
      time_zones = ["UTC", "local", "America/Los_Angeles"]

      # Whether each frame is bracketed by the private mode 2026, for terminals that know it and otherwise flicker.
      synchronized_output = false

      # The account's primary shared secret, for apps without one of their own. The file never holds the secret itself: name
      # a variable of the environment, or a file that only you may read. SUBTOP_SHARED_SECRET comes before both.
      # shared_secret_env = "PRIMARY_SECRET"
      # shared_secret_file = "/home/me/.secrets/primary"

      # One table an app, by its bundle id.
      # [apps."com.example.app"]
      # shared_secret_env = "EXAMPLE_SECRET"
      # shared_secret_file = "/home/me/.secrets/example"
      # When the app was in the App Store Small Business Program, in days of UTC; without an end it lasts.
      # small_business_program = [{ from = "2025-01-01", until = "2025-12-31" }]

      # When a receipt is asked about next.
      [due]
      # Around an expiry: so long before it and after it.
      around_expiry = [\(due.aroundExpiry.map { "\"\(text($0))\"" }.joined(separator: ", "))]
      # In a trial.
      trial = "\(text(due.trial))"
      # In mid-period.
      active = "\(text(due.active))"
      # While a price increase waits for consent.
      price_consent_pending = "\(text(due.priceConsentPending))"
      # Expired by the clock, and nobody has asked since.
      overdue = "\(text(due.overdue))"
      # In the billing grace period.
      grace = "\(text(due.grace))"
      # In billing retry, to its 60th day.
      billing_retry = "\(text(due.billingRetry))"
      # Lapsed, for so long.
      lapsed = "\(text(due.lapsed))"
      long_lapsed_after = "\(text(due.longLapsedAfter))"
      # Lapsed before that.
      long_lapsed = "\(text(due.longLapsed))"
      # Waits are shortened by up to this part of them, 0 to 0.5, to keep receipts apart.
      jitter = \(due.jitter)

      # Lines that are asked about more often before they expire.
      [due.important]
      products = []
      users = []
      every = "\(text(important.every))"
      within = "\(text(important.within))"

      [sweep]
      # Requests at once at the most, 1 to 1000; fewer while the App Store is slow.
      concurrency = \(sweep.concurrency)
      # Requests a second at the most; without it there is no limit.
      # rate = 20
      # Requests for one receipt within a sweep, 1 to 10.
      tries = \(sweep.tries)
      # In between exclude-old-transactions leaves out what is known; "0s" always asks for everything.
      full_answer_every = "\(text(sweep.fullAnswerEvery))"
      # A receipt is given up after so many failures over so long a time.
      dead_after_tries = \(sweep.patience.tries)
      dead_after = "\(text(sweep.patience.span))"
      # 21003, 21010 and the like are believed of a receipt that was valid before when they last so long.
      believe_after = "\(text(sweep.patience.verdictSpan))"
      # Of one request.
      time_limit = "\(text(Int64(sweep.limits.total)))"
      # For which a receipt is a sweep's without a sign of life, "1s" to "1h".
      lease = "\(text(sweep.lease))"
      # Certificates to be trusted in place of the system's.
      # ca_file = "/etc/ssl/proxy.pem"

      # Keys of the dashboard: a command's name and its keys, as its list of keys (?) writes both. [] leaves it to the palette.
      [keys]
      # find = ["f", "F3"]
      # quit = ["^C", "F10", "Q"]

      """
  }
}
