import ReceiptStore
import Subscriptions
import TestSupport

/// A made-up population and what Apple would have said of it on several days: every case that METRICS.md names turns
/// up, most of them in combinations that nobody would think of.
struct World {
  /// What was said of one receipt, in order.
  struct Story {
    var receipt: ImportedReceipt
    var answers: [Answer]
    /// Status 21010, some time after the last answer.
    var goneAt: Instant?
  }

  var stories: [Story] = []
  static let catalog: [CatalogEntry] = [
    .make("yearly", 59_990_000, period: Period(1, .year), group: "G", level: 1),
    .make("monthly", 9_990_000, group: "G", level: 2),
    .make("monthly", 10_990_000, group: "G", level: 2, from: day(0)),
    .make("plus", 9_990_000, group: "G", level: 2, currency: "EUR"),
    .make("weekly", 4_990_000, period: Period(1, .week), group: "G", level: 3),
    .make("monthly", 1_990_000, offer: .intro, group: "G", level: 2),
    .make("yearly", 29_990_000, period: Period(1, .year), offer: .promo("SPRING"), group: "G", level: 1),
    .make("weekly", 990_000, period: Period(2, .week), offer: .code("FRIEND"), group: "G", level: 3),
    .make("coins", 1_000_000),
  ]

  /// What later answers say of renewals.
  enum Renewals {
    case anything
    /// Nothing that was said before something else: an unchanged answer in between leaves no trace of its time.
    case neverTheSameAgain
    /// Something new of each chain in each answer, so that every observation leaves a trace.
    case alwaysNews
  }

  init(seed: UInt64, renewals: Renewals = .anything) {
    var random = Seeded(seed)
    var lives = (0..<Int.random(in: 1...8, using: &random)).map { Life(number: $0, &random) }
    if random.chance(30), renewals != .neverTheSameAgain, let first = lives.first {
      lives.append(first)  // one chain in two receipts
    }
    var number = 0
    while !lives.isEmpty {
      let environment: StoreEnvironment = lives[0].isSandbox ? .sandbox : .production
      var held = [lives.removeFirst()]
      if let next = lives.first, next.isSandbox == held[0].isSandbox, next.number != held[0].number,
        random.chance(30)
      {
        held.append(lives.removeFirst())
      }
      number += 1
      stories.append(
        Story(
          number: number, of: held, in: environment, renewals: renewals, &random))
    }
  }

  /// The days on which something was said, first to last.
  var days: [Instant] { Set(stories.flatMap { $0.answers.compactMap(\.requestDate) }).sorted() }
}

extension World.Story {
  fileprivate init(
    number: Int, of lives: [Life], in environment: StoreEnvironment, renewals: World.Renewals,
    _ random: inout Seeded
  ) {
    receipt = ImportedReceipt(
      data: ReceiptData(trusted: "MIIreceipt\(number)"),
      appUserID: random.pick(nil, AppUserID("u\(number)"), AppUserID("u\(number % 3)")))
    answers = []
    let days = Set(
      (0..<Int.random(in: 1...5, using: &random)).map { _ in Int.random(in: 0...120, using: &random) })
    var infos: [Int: [RenewalInfo]] = [:]
    for (index, at) in days.sorted().enumerated() {
      // Several receipts are never answered in the same millisecond.
      let now = day(at) + Int64(number)
      var answer = Answer(environment: environment, bundleID: BundleID("app"), requestDate: now)
      for life in lives {
        let rows = life.rows(seenAt: now, &random)
        if infos[life.number] == nil || renewals == .alwaysNews || random.chance(60) {
          var new = life.infos(at: now, &random)
          if renewals == .alwaysNews { new = [new.first ?? .make()] }
          if renewals != .anything, !new.isEmpty { new[0].promotionalOfferID = "\(number)-\(index)" }
          if renewals == .alwaysNews { new[0].originalTransactionID = OriginalTransactionID(life.id) }
          infos[life.number] = new
        }
        let told = random.chance(15) && renewals != .alwaysNews ? [] : infos[life.number] ?? []
        for row in rows where !(random.chance(8)) { answer.transactions.append(row) }
        answer.renewalInfos += told
      }
      for row in answer.transactions where random.chance(10) {
        answer.lagging.insert(row.transactionID)
        if let place = answer.transactions.firstIndex(of: row), random.chance(60), !row.isUpgraded {
          answer.transactions[place].cancellationDate = nil
          answer.transactions[place].cancellationReason = nil
        }
      }
      answer.transactions.shuffle(using: &random)
      answers.append(answer)
    }
    if random.chance(10), let last = answers.last?.requestDate { goneAt = last + 3.days }
  }
}
