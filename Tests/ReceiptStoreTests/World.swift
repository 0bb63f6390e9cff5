import ReceiptStore
import Subscriptions
import TestSupport

/// Random population and Apple's answers about it on several days, with every case of METRICS.md.
struct World {
  struct Story {
    var receipt: ImportedReceipt
    var answers: [Answer]
    /// Indexes of answers with `exclude-old-transactions`.
    var partial: Set<Int> = []
    /// Time of status 21010, after the last answer.
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

  init(seed: UInt64) {
    var random = Seeded(seed)
    var lives = (0..<Int.random(in: 1...8, using: &random)).map { Life(number: $0, &random) }
    if random.chance(30), let first = lives.first {
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
      stories.append(Story(number: number, of: held, in: environment, &random))
    }
  }

  var days: [Instant] { Set(stories.flatMap { $0.answers.compactMap(\.requestDate) }).sorted() }
}

extension World.Story {
  fileprivate init(
    number: Int, of lives: [Life], in environment: StoreEnvironment, _ random: inout Seeded
  ) {
    receipt = ImportedReceipt(
      data: ReceiptData(trusted: "MIIreceipt\(number)"),
      appUserID: random.pick(nil, AppUserID("u\(number)"), AppUserID("u\(number % 3)")))
    answers = []
    let days = Set(
      (0..<Int.random(in: 1...6, using: &random)).map { _ in Int.random(in: 0...120, using: &random) })
    let leavesOutOld = random.chance(25)
    var infos: [Int: [RenewalInfo]] = [:]
    for at in days.sorted() {
      // Several receipts rarely have answers of the same millisecond.
      let now = day(at) + (random.chance(90) ? Int64(number) : 0)
      if let said = Self.repeatedAnswer(answers, partial, lives, &random) {
        if said.isPartial { partial.insert(answers.count) }
        answers.append(said.answer)
        answers[answers.count - 1].requestDate = now
        continue
      }
      var answer = Answer(environment: environment, bundleID: BundleID("app"), requestDate: now)
      for life in lives {
        if infos[life.number] == nil || random.chance(60) {
          infos[life.number] = life.infos(at: now, &random)
        }
        answer.add(life, at: now, infos: infos[life.number] ?? [], &random)
        if leavesOutOld { answer.leaveOutOld(of: life, &random) }
      }
      if random.chance(30) {
        for life in lives { answer.keepNewest(of: life) }
        partial.insert(answers.count)
      }
      answer.lag(&random)
      answer.transactions.shuffle(using: &random)
      answers.append(answer)
      if random.chance(10) {
        if random.chance(50) { partial.insert(answers.count) }
        answers.append(answer)
      }
    }
    if random.chance(10), let last = answers.last?.requestDate { goneAt = last + 3.days }
  }
}

extension World.Story {
  /// Repeats the last answer or the one before, or only its newest rows.
  private static func repeatedAnswer(
    _ answers: [Answer], _ partial: Set<Int>, _ lives: [Life], _ random: inout Seeded
  ) -> (answer: Answer, isPartial: Bool)? {
    guard let last = answers.last, random.chance(35) else { return nil }
    switch random.pick("same", "newest", "before") {
    case "newest":
      var newest = last
      for life in lives { newest.keepNewest(of: life) }
      return (newest, true)
    case "before" where answers.count > 1:
      return (answers[answers.count - 2], partial.contains(answers.count - 2))
    default: return (last, partial.contains(answers.count - 1))
    }
  }

  var outcomes: [(at: Instant, result: ReceiptOutcome.Result)] {
    let answers = answers.enumerated().map { index, answer in
      (
        at: answer.requestDate ?? day(0),
        result: ReceiptOutcome.Result.answered(answer, status: 0, isPartial: partial.contains(index))
      )
    }
    return answers + (goneAt.map { [($0, .accountGone)] } ?? [])
  }
}

extension Answer {
  fileprivate mutating func add(
    _ life: Life, at now: Instant, infos: [RenewalInfo], _ random: inout Seeded
  ) {
    for row in life.rows(seenAt: now, &random) where !random.chance(8) { transactions.append(row) }
    if !random.chance(15) { renewalInfos += infos }
  }

  /// Keeps only the newest row of a chain, as `exclude-old-transactions` is documented.
  fileprivate mutating func keepNewest(of life: Life) {
    let rows = transactions.filter { $0.originalTransactionID.rawValue == life.id }
    let newest = rows.max(by: Transaction.inOrder)?.transactionID
    transactions.removeAll {
      $0.originalTransactionID.rawValue == life.id && $0.transactionID != newest
    }
  }

  /// Applies `exclude-old-transactions` as older answers did: old rows are only in `in_app`, or missing.
  fileprivate mutating func leaveOutOld(of life: Life, _ random: inout Seeded) {
    let rows = transactions.filter { $0.originalTransactionID.rawValue == life.id }
    let newest = rows.max(by: Transaction.inOrder)?.transactionID
    for row in rows where row.transactionID != newest {
      if random.chance(40) {
        transactions.removeAll { $0.transactionID == row.transactionID }
      } else {
        lagging.insert(row.transactionID)
      }
    }
  }

  /// Omits some refunds from `in_app`, which lags behind.
  fileprivate mutating func lag(_ random: inout Seeded) {
    for row in transactions where random.chance(10) { lagging.insert(row.transactionID) }
    for place in transactions.indices where lagging.contains(transactions[place].transactionID) {
      guard random.chance(60), !transactions[place].isUpgraded else { continue }
      transactions[place].cancellationDate = nil
      transactions[place].cancellationReason = nil
    }
  }
}
