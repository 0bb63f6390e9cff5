import GRDB
import Subscriptions

/// What the tallies say to a question.
struct Tallied {
  /// The states at the instant.
  let standing: TallyBook.Sums
  /// Fresh lines in each environment.
  private(set) var fresh: [StoreEnvironment: Int64] = [:]
  let window: WindowTallies
  /// The states at the end of the last hour before the window.
  private(set) var start: TallyBook.Sums = [:]
  /// At its start.
  private(set) var atStart: TallyBook.Sums = [:]
  /// At the end of each of its stretches but the last, where the panel follows them.
  private(set) var steps: [TallyBook.Sums] = []
  /// Family-shared lines, and rows without a price, up to the instant.
  private(set) var shared: TallyBook.Sums = [:]
  private(set) var unpriced: TallyBook.Sums = [:]
  /// Of the window, where the panel tells them.
  private(set) var losses: [TurnTallies.Group] = []
  private(set) var pending: [TurnTallies.Group] = []
  private(set) var lostOfStart = 0
  let book: TallyBook

  /// More chains than these validated after the asked instant, and it is cheaper to look at every line.
  private static let mostAhead = 2000

  /// Nil where the question is about a time that the tallies do not answer for: the past as it was before many answers, or a
  /// store whose tallies are not complete.
  init?(_ asking: Asking, keys: TallyKeys) throws {
    let (db, question) = (asking.db, asking.question)
    guard try Self.answer(question, db) else { return nil }
    book = TallyBook(db: db, keys: keys, scope: question.environment)
    let t = question.at
    window = try WindowTallies(
      question.panel.families, question.window, withBefore: question.panel != .active, book, asking)
    let ends = question.panel.stateFigures == nil ? [] : question.window.stretchEnds.dropLast()
    let cuts = [question.window.trendStart] + ends + [max(question.window.trendStart, t)]
    var asked = [TallyBook.Stretch(family: .state, after: nil, through: cuts[0])]
    for (after, through) in zip(cuts, cuts.dropFirst()) {
      asked.append(.init(family: .state, after: after, through: through))
    }
    for family in [TallyFamily.fresh, .shared, .unpriced] {
      asked.append(.init(family: family, after: nil, through: t))
    }
    asked.append(.init(family: .state, after: cuts[0], through: question.window.from))
    let sums = try book.sums(asked)
    var sum = sums[0]
    start = sum
    atStart = start
    atStart.add(sums[sums.count - 1])
    for place in cuts.indices.dropLast() {
      sum.add(sums[place + 1])
      if place < ends.count { steps.append(sum) }
    }
    shared = sums[cuts.count + 1]
    if let besides = question.besides {
      let beside = try book.sums(
        [
          .init(family: .state, after: nil, through: t), .init(family: .shared, after: nil, through: t),
        ],
        scope: besides)
      sum.add(beside[0])
      shared.add(beside[1])
    }
    standing = sum
    for (key, value) in sums[cuts.count] { fresh[key.key.environment, default: 0] += value.count }
    unpriced = sums[cuts.count + 2]
    if question.panel.tellsLosses {
      let turns = try TurnTallies(asking, book, isByStretch: true)
      losses = try turns.groups(.loss)
      pending = try turns.groups(.pending)
      lostOfStart = try turns.lostOfStart()
    }
  }

  private static func answer(_ question: Question, _ db: Database) throws -> Bool {
    let isComplete = try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT is_complete AND rule = ? FROM tally_state"),
      arguments: [TallyRebuild.rule])
    guard isComplete == true, !question.smallBusinessProgram.changes(within: question) else { return false }
    let isGoneLater = try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM chains WHERE gone_at_ms > ?)"),
      arguments: [question.at])
    guard isGoneLater == false else { return false }
    let ahead = try Int.fetchOne(
      db.cachedStatement(
        sql: "SELECT count(*) FROM (SELECT 1 FROM chains WHERE validated_at_ms > ? LIMIT ?)"),
      arguments: [question.at, Self.mostAhead + 1])
    return (ahead ?? 0) <= Self.mostAhead
  }
}

extension SmallBusinessProgram {
  /// Whether a membership begins or ends while a question looks.
  fileprivate func changes(within question: Question) -> Bool {
    let start = question.before.window.from
    return memberships.values.joined().contains { membership in
      [membership.from, membership.until].contains { $0 > start && $0 <= question.at }
    }
  }
}

extension Panel {
  var tellsLosses: Bool { self == .overview || self == .churn }

  /// What of the window a panel's figures are made from.
  fileprivate var families: Set<TallyFamily> {
    switch self {
    case .overview: [.bought, .due, .trialEnd, .refund, .upgrade]
    case .active, .billingRetry: []
    case .churn: [.bought, .due, .trialEnd]
    case .refunds: [.bought, .refund, .oneTimeRefund]
    case .upgrades: [.change, .undated, .upgrade]
    case .events: [.event]
    }
  }
}

extension Question {
  /// What is counted beside its own lines.
  fileprivate var besides: EnvironmentScope? { environment == .production ? .sandbox : nil }

  func includes(_ key: TallyKey) -> Bool { environment.contains(key.environment) && includes(key.product) }
}
