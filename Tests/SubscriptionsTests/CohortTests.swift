import Subscriptions
import TestSupport
import Testing

@Suite struct CohortTests {

  /// `day(30)` is the last day of January 2026, `day(58)` the last of February.
  static let lives: [(String, Instant, [Chain], [String])] = [
    (
      "and two months later it is the last of March again", day(89),
      [chain("1", monthly("1", 30, 58), monthly("2", 58, 89))], ["2026-01 1: 1/1 1/1 0/1"]
    ),
    (
      "three days of January fall on the last of February", day(58, hours: 1),
      [
        chain("1", monthly("1", 28, 70)), chain("2", monthly("1", 29, 59)),
        chain("3", .make("1", purchase: day(30, hours: 2), expires: day(61))),
      ], ["2026-01 3: 3/3 2/2?"]
    ),
    (
      "a leap day's year later is the last of February", day(1154),
      [chain("1", row("yearly", "1", 789, 1155))],
      ["2028-02 1: " + Array(repeating: "1/1", count: 13).joined(separator: " ")]
    ),
    (
      "a period to the end of time ends after twenty years", day(9000),
      [chain("1", .make("1", purchase: day(0), expires: .distantFuture))],
      ["2026-01 1: " + Array(repeating: "1/1", count: 241).joined(separator: " ")]
    ),
  ]

  @Test(arguments: lives) func livesOfLines(
    _ name: String, _ t: Instant, _ chains: [Chain], _ expected: [String]
  ) throws {
    let found = cohorts(chains, Question(panel: .cohorts, at: t)).map { cohort in
      let cells = cohort[parts: "retained"].map { cell in
        "\(cell["lines"])/\(cell["of"])\(cell[share: "rate"] == nil ? "?" : "")"
      }
      return "\(cohort[text: "month"] ?? "") \(cohort["lines"]): \(cells.joined(separator: " "))"
    }
    #expect(found == expected)
  }

  @Test(arguments: seeds(100)) func cellsAreTheirRows(_ seed: UInt64) throws {
    let population = EvidenceLedger.generated(seed, chains: 8)
    for end in [60, 150, 300] {
      let question = Question(panel: .cohorts, at: day(end, hours: 5))
      for cohort in population.report(question).data[parts: "rows"] {
        let month = try #require(cohort.month)
        for cell in cohort[parts: "retained"] {
          for part in CohortCell.Part.allCases {
            let path = CohortCell(month, months: cell["months"], part).path
            let rows = population.rows(question, figure: path)
            let lines = [.retained: cell["lines"], .of: cell["of"], .lost: cell["of"] - cell["lines"]][part]
            #expect(rows.count == lines, "\(path) on day \(end)")
            #expect(rows.rows.allSatisfy { $0.figures.contains(path) && $0.why.contains("first paid") })
            guard part != .lost else { continue }
            let sum = Amounts(rows.rows.compactMap(\.amount))
            #expect(
              sum.totals == cell[amounts: part == .of ? "mrr_of" : "mrr"].totals, "\(path) on day \(end)")
          }
        }
      }
    }
  }

  /// Cohorts are filtered by a line's first paid row, not by later ones.
  @Test(
    arguments: [
      (OfferScope.all, [], 4), (.kind(.intro), [], 1), (.kind(.promo), [], 1), (.kind(.standard), [], 2),
      (.offer(.promo, "SPRING"), [], 1), (.offer(.promo, "AUTUMN"), [], 0), (.kind(.code), [], 0),
      (.all, ["weekly"], 1), (.all, ["monthly"], 2), (.kind(.standard), ["yearly"], 1),
    ] as [(OfferScope, [String], Int)])
  func isAskedBy(_ offers: OfferScope, _ products: [String], _ lines: Int) throws {
    let chains = [
      chain("1", monthly("1", 0, 31) { $0.isInIntroOfferPeriod = true }, row("weekly", "2", 31, 38)),
      chain("2", monthly("1", 1, 32) { $0.promotionalOfferID = "SPRING" }),
      chain("3", row("weekly", "1", 2, 9), monthly("2", 9, 40)), chain("4", row("yearly", "1", 3, 368)),
    ]
    var question = Question(panel: .cohorts, at: day(20), products: Set(products.map { ProductID($0) }))
    question.offers = offers
    #expect(cohorts(chains, question).reduce(0) { $0 + $1["lines"] } == lines)
  }

  /// Signed rows may have an empty offer name.
  @Test(
    arguments: [
      (nil, "SPRING", "SPRING"), ("FRIEND", "SPRING", "FRIEND"), (nil, "", nil), ("", nil, nil),
    ] as [(String?, String?, String?)])
  func nameOfTheOffer(_ code: String?, _ promotional: String?, _ name: String?) throws {
    let line = try chain(
      "1", monthly("1", 0, 31) { ($0.offerCodeRefName, $0.promotionalOfferID) = (code, promotional) }
    ).line()
    let row = try #require(line.cohortRow(Question(panel: .cohorts, at: day(20)), nil))
    #expect(row.offer == name)
  }

  @Test(
    arguments: [
      ("standard", OfferScope.kind(.standard)), ("promo:SPRING", .offer(.promo, "SPRING")),
      ("code:a:b", .offer(.code, "a:b")), ("winback", .kind(.winback)), ("promo:", nil), ("promo: ", nil),
      ("intro:x", nil),
      ("", nil), ("cheap", nil),
    ])
  func offersAreRead(_ text: String, _ offers: OfferScope?) { #expect(OfferScope(parsing: text) == offers) }

  @Test(
    arguments: [
      ("rows.2026-03.5", "Started in March 2026, active 5 months later"),
      ("rows.2026-03.1.of", "Started in March 2026, 1 month later"),
      ("rows.2026-12.0", "Started in December 2026, active"),
      ("rows.2026-12.0.of", "Started in December 2026"),
      ("rows.2026-03.5.lost", "Started in March 2026, not active 5 months later"),
    ])
  func cellsHaveWords(_ path: String, _ words: String) throws {
    #expect(try #require(CohortCell(path: path)).path == path)
    #expect(Panel.cohorts.figure(path)?.words == words)
    #expect(FigurePath(path, of: .cohorts)?.name == path)
  }

  @Test(
    arguments: [
      "rows", "rows.2026-03", "rows.2026-13.5", "rows.2026-03.-1", "rows.2026-03.05", "rows.2026-03.241",
      "rows.2026-03.5.retained", "rows.2026-03.5.of.lost", "row.2026-03.5", "rows.*.*", "",
    ])
  func noCellHasOtherPaths(_ path: String) { #expect(FigurePath(path, of: .cohorts) == nil) }

  private func cohorts(_ chains: [Chain], _ question: Question) -> [FigureValues] {
    EvidenceLedger.make(chains).report(question).data[parts: "rows"]
  }
}
