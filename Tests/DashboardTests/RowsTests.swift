import Dashboard
import Screen
import Subscriptions
import Testing

@Suite("Rows behind a figure") struct RowsTests {
  private func bench(
    _ size: Size = Size(columns: 80, rows: 24), rows: @escaping (Question, String) -> FigureRows,
    _ keys: String...
  ) -> Bench {
    var bench = Bench.opened(size.columns, size.rows)
    bench.rows = rows
    for key in keys { bench.press(key) }
    return bench
  }

  @Test("are asked for in the scope that is shown")
  func scope() {
    var bench = Bench.opened()
    bench.press("3", "enter", "w", "e", "6", "g", "enter")
    #expect(bench.lastRows?.figure == "by_intent.1.paid")
    #expect(
      bench.lastRows?.question
        == Question(
          panel: .churn, at: Sample.now, windowDays: 90, environment: .sandbox, products: [Sample.weekly],
          limit: Question.screenLimit))
    bench.press("w")
    #expect(bench.lastRows?.question.window.days == 365)
    bench.press("esc")
    #expect(bench.state.window.days == 365)
  }

  @Test("are read further when the selection nears the end of the read rows")
  func further() {
    var bench = bench(rows: ReadingTests.rows(28_192), "9", "g", "j", "enter")
    #expect(bench.lastRows?.question.limit == Question.screenLimit)
    bench.press("j", "j", "k")
    #expect(bench.lastRows?.question.limit == Question.screenLimit)
    bench.press("end")
    let selected = bench.selectedLine
    #expect(selected != nil && bench.lastRows?.question.limit == 5 * Question.screenLimit)
    bench.press("j", "k")
    #expect(bench.selectedLine == selected && bench.lastRows?.question.limit == 5 * Question.screenLimit)
  }

  @Test("are read further where the screen has room for more")
  func room() {
    let high = Size(columns: 120, rows: Question.screenLimit + 10)
    let bench = bench(high, rows: ReadingTests.rows(28_192), "9", "g", "j", "enter")
    #expect(bench.lastRows?.question.limit == 5 * Question.screenLimit)
  }

  @Test("open their chains, and Esc leads back to where one was")
  func inAndOut() {
    var bench = bench(rows: Sample.manyRows, "9", "g", "j", "enter", "j", "j")
    let row = bench.selectedLine
    #expect(row?.contains("310000831379475") == true)
    bench.press("enter")
    #expect(bench.state.context == .chain)
    bench.press("esc")
    #expect(bench.state.context == .rows)
    #expect(bench.selectedLine == row)
    bench.press("esc")
    #expect(bench.state.context == .panel)
    #expect(bench.selectedLine?.contains("  amount  ") == true)
  }

  @Test("of a bar or a row that stands for several figures are one Tab apart")
  func several() {
    var bench = Bench.opened()
    bench.press("6", "j", "enter")
    var figures: [String] = []
    for key in ["tab", "l", "right", "tab", "s-tab", "h", "left"] {
      figures.append(bench.lastRows?.figure ?? "")
      bench.press(key)
    }
    #expect(
      figures
        == ["due", "renewed", "recovered", "pending", "lost", "pending", "recovered"].map {
          "renewals.P1M.\($0)"
        })
    #expect(bench.screen.contains("due [renewed on time] recovered pending lost"))
  }

  @Test("of a bar begin with the figure that counts something")
  func firstCounted() {
    var bench = Bench.opened()
    bench.report = { question in
      let changes = [Sample.loss(.trial, .intent(.billingError)): ChangeSum(lines: 3)]
      let sums = LedgerSums(earlier: [:], changes: changes)
      let figures = FigureValues(sums, question)
      return Report(answering: question, trust: Sample.trust, data: figures)
    }
    bench.press("6", "g", "j", "enter")
    #expect(bench.lastRows?.figure == "by_intent.2.trial")
  }

  @Test("say how many they are, what they add up to, and that there are more than are listed")
  func many() {
    Golden.expect(bench(rows: Sample.manyRows, "9", "g", "j", "enter", "j").canvas, "rows-many")
    #expect(bench(rows: Sample.manyRows, "9", "g", "enter").screen.contains("of 28,192"))
  }

  @Test("of renewals are a forecast by day, whose bars filter the list", arguments: [7, 30])
  func forecast(_ days: Int) {
    var bench = Bench.opened(120, 40)
    bench.press(":", "figure overview due.\(days).lines", "enter")
    Golden.expect(bench.canvas, "due-\(days)")
    bench.press("g", "g", "enter")
    #expect(bench.state.arrangement.filter == "when:2026-11-21" && bench.state.tableExport?.count == 1)
    bench.press("^S")
    #expect(bench.state.prompt?.text.hasPrefix("subtop-overview-due.\(days).lines-2026-11-21T") == true)
    bench.press("esc", ":", "figure overview due.\(days).lines", "enter")
    #expect(bench.state.arrangement.filter.isEmpty)
  }

  @Test("keep their figure and its total in a narrow title", arguments: [80, 120])
  func narrowTitle(_ columns: Int) {
    var bench = Bench.opened(columns, 24)
    bench.press(":", "figure offers offers.code.SPRING26.converted", "enter")
    let title = bench.canvas.text().first { $0.contains("SPRING26") && $0.contains("\u{250C}") } ?? ""
    let name = "Continued at the standard price, offer code SPRING26: 3"
    #expect(title.contains(columns == 80 ? "\(name), USD 74.97" : "\(name) transactions, discount USD 74.97"))
    bench.press("/", "product:weekly", "enter", ">")
    #expect(bench.screen.contains("USD 74.97, 1 match"), "\(bench.screen)")
  }

  @Test("say where there are none")
  func none() {
    let bench = bench(rows: Sample.noRows, "0", "g", "g", "enter")
    Golden.expect(bench.canvas, "rows-none")
    #expect(bench.state.context == .rows)
  }

  @Test("are said to be on their way where it takes long, and only the newest answer counts")
  func slow() {
    var bench = Bench.opened()
    bench.press("9", "g")
    bench.answers = false
    bench.press("enter")
    let first = bench.lastRows?.serial ?? 0
    #expect(!bench.screen.contains("reading"))
    #expect(bench.state.wakesAt == 300)
    bench.wait(300)
    Golden.expect(bench.canvas, "rows-slow")
    bench.press("j", "enter")
    bench.send(.rowsLoaded(Sample.noRows(Question(panel: .refunds, at: Sample.now), "count"), serial: first))
    #expect(bench.state.context == .panel)
    let second = bench.lastRows?.serial ?? 0
    bench.send(.failed("Reading the store: the disk is gone.", serial: second))
    #expect(bench.state.context == .panel)
    #expect(bench.screen.contains("the disk is gone"))
    bench.press("enter", "esc")
    bench.send(
      .rowsLoaded(
        Sample.noRows(Question(panel: .refunds, at: Sample.now), "amount"),
        serial: bench.lastRows?.serial ?? 0))
    #expect(bench.state.context == .panel, "who has gone back is not called in again")
  }

  @Test("are read anew when the store has changed, and stay on their row")
  func refreshed() {
    var bench = bench(rows: Sample.manyRows, "9", "g", "enter", "j")
    let row = bench.selectedLine
    bench.wait(2000)
    let before = bench.effects.count
    bench.send(.storeChanged)
    let asked = bench.effects.dropFirst(before).filter { if case .loadRows = $0 { true } else { false } }
    #expect(asked.count == 1)
    #expect(bench.selectedLine == row)
  }

  @Test("say a prorated refund's sum in money and days, in ASCII too", arguments: [GlyphSet.unicode, .ascii])
  func proration(_ glyphs: GlyphSet) {
    let instant = Sample.now - 3 * Milliseconds.day
    let proration = Proration(
      price: Money(micros: 4_990_000, currency: CurrencyCode("USD")), purchase: instant - 302_400_000,
      expires: instant + 302_400_000, upgrade: instant)
    var row = Sample.row(0, product: Sample.weekly, isLine: false, "confirmed")
    row.proration = proration
    row.why = FigureReason.upgrade(
      instant: instant, cancelled: instant, kind: .standard, proration: proration, at: Sample.now)
    var trial = row
    trial.amount = nil
    trial.proration = nil
    trial.why = FigureReason.upgrade(
      instant: instant, cancelled: nil, kind: .standard, proration: nil, at: Sample.now)
    let printed = text(
      of: FigureRows(count: 2, rows: [row, trial]), of: Sample.report(.upgrades), figure: "confirmed",
      glyphs: glyphs)
    let times = glyphs.isASCII ? "x" : "×"
    #expect(
      printed.contains(
        "upgraded 3 d ago: USD 4.99 \(times) 3.5 d unused of 7.0 d; confirmed and dated by Apple's cancellation date"
      ))
    #expect(printed.contains("upgraded 3 d ago: unpriced; estimated, dated by the next purchase"))
  }

  /// Reason in data, and on the screen.
  static let reasons: [(String, String)] = [
    ("is_trial_period = true, expires_date in 5 d", "trial period, ends in 5 d"),
    ("grace_period_expires_date in 5 d, expired 2 h ago", "grace ends in 5 d, expired 2 h ago"),
    (
      "is_in_billing_retry_period = 1, expired 8 d ago, 51 d of 60 left",
      "in billing retry, expired 8 d ago, 51 d of 60 left"
    ),
    (
      "expired 8 d ago, expiration_intent = 3 (price increase not consented)",
      "expired 8 d ago, price increase declined (intent 3)"
    ),
    ("expired 8 d ago, expiration_intent = 9 (unknown value 9)", "expired 8 d ago, undocumented reason 9"),
    (
      "expired 8 d ago, no expiration_intent: reason unknown, is_in_billing_retry_period = 1 is older than Apple's 60 days",
      "expired 8 d ago, reason unknown, billing retry is older than Apple's 60 days"
    ),
    (
      "lost: expired after billing_retry, expiration_intent = 2",
      "billing failed (intent 2), expired after billing retry"
    ),
    ("to_retry: billing_retry after active", "Entered billing retry: billing retry after active"),
    ("returned: active after overdue", "Returned (cause unknown): active after unverified"),
    (
      "cancellation_date 9 d ago, cancellation_reason = 0",
      "cancelled by Apple 9 d ago, for a reason other than an app issue (reason 0)"
    ),
    (
      "cancellation_date 9 d ago, cancellation_reason = none, revocationPercentage = 50 %",
      "cancelled by Apple 9 d ago, without a reason, partial refund: 50 %"
    ),
    (
      "transaction 7 cancellation_date 9 d ago, cancellation_reason = 1, reaching beyond the current row: its expires_date is 2026-05-01 10:00 UTC",
      "transaction 7 cancelled by Apple 9 d ago, for an app issue (reason 1), reaching beyond the current row: its end is 2026-05-01 10:00 UTC"
    ),
    ("auto_renew_status = 0, expires_date in 5 d", "auto-renew off, ends in 5 d"),
    ("expires_date 3 d ago, renewed", "ended 3 d ago, renewed"),
    (
      "is_upgraded = true, but neither a cancellation_date nor a next purchase dates it",
      "upgraded, but neither a cancellation date nor a next purchase dates it"
    ),
    (
      "first paid 2026-05-01 10:00 UTC; 2 months later billing_retry: is_in_billing_retry_period = 1, expired 8 d ago",
      "first paid 2026-05-01 10:00 UTC; 2 months later billing retry: in billing retry, expired 8 d ago"
    ),
    (
      "first paid 2026-05-01 10:00 UTC; overdue: expired",
      "first paid 2026-05-01 10:00 UTC; unverified: expired"
    ),
    ("bought 3 d ago as winback win_back_1, ended", "bought 3 d ago as win-back offer win_back_1, ended"),
    ("code period, expires_date in 5 d", "offer code period, ends in 5 d"),
  ]

  @Test("say why in the words of the screen, Apple's codes in parentheses", arguments: reasons)
  func inWords(_ data: String, _ screen: String) {
    var row = Sample.row(0, product: Sample.weekly, isLine: false, "paid")
    row.why = data
    let printed = text(
      of: FigureRows(count: 1, rows: [row]), of: Sample.report(.active), figure: "paid", width: 400)
    #expect(printed.contains(screen.prefix(119)), "\(printed)")
  }

  @Test("name the figures that count them in words, and are filtered by their paths as well")
  func countedIn() throws {
    let rows = Sample.rows(Question(panel: .active, at: Sample.now), "by_kind.standard")
    let printed = text(of: rows, of: Sample.report(.active), figure: nil, width: 400)
    #expect(printed.contains("Active at the standard price") && !printed.contains("by_kind"), "\(printed)")
    for filter in ["counted_in=by_kind.standard", "counted_in:\"standard price\""] {
      let taken = try rows.chains(
        matching: filter, panel: .active, figure: nil, environment: .production, at: Sample.now)
      #expect(taken.count == 3, "\(filter)")
    }
  }

  @Test("are of the instant that stands above them")
  func instant() {
    var bench = Bench.opened()
    bench.press("3", "enter", "g", "g", "enter")
    bench.wait(3 * Milliseconds.minute)
    bench.press("R")
    #expect(bench.screen.contains("as of 2026-11-21 09:08"))
  }

  @Test("are printed under the figure's name")
  func printed() {
    let question = Question(panel: .refunds, at: Sample.now)
    Golden.expect(
      text(of: Sample.rows(question, "amount"), of: Sample.report(.refunds), figure: "amount"),
      file: "rows.text")
    Golden.expect(
      text(of: Sample.rows(question, "amount"), of: Sample.report(.refunds), figure: nil),
      file: "rows-all.text")
  }
}
