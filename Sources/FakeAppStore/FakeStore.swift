import AppStore
import FoundationEssentials
import Subscriptions

/// An App Store without a network: takes the body of a request, gives the body of the answer.
public struct FakeStore: Sendable {
  public let population: FakePopulation
  /// The secret of every app that has none of its own.
  public let sharedSecret: String
  /// App-specific shared secrets: such an app takes no other.
  public let sharedSecrets: [BundleID: String]
  /// Bytes added to every receipt.
  public let receiptPadding: Int

  /// What `fake-app-store` expects where it is told no other secret.
  public static let defaultSharedSecret = "subtop-demo"
  /// Who bears the Server API's key, as App Store Connect would name the team.
  public static let defaultIssuerID = "5b7d0c3e-8f1a-4c62-9d24-6a0f3e51b7c8"
  public static let defaultKeyID = "SUBTOPDEMO"

  public init(
    population: FakePopulation, sharedSecret: String = FakeStore.defaultSharedSecret,
    sharedSecrets: [BundleID: String] = [:], receiptPadding: Int = 0
  ) {
    self.population = population
    self.sharedSecret = sharedSecret
    self.sharedSecrets = sharedSecrets
    self.receiptPadding = receiptPadding
  }

  /// The secret that requests about an app's receipts must bear.
  public func sharedSecret(of bundleID: BundleID) -> String { sharedSecrets[bundleID] ?? sharedSecret }

  /// Answers as Apple would at an instant: the same question at the same instant gives the same bytes.
  public func answer(to body: [UInt8], endpoint: FakeEndpoint, at now: Instant) -> FakeAnswer {
    answer(to: question(in: body), endpoint: endpoint, at: now)
  }

  func question(in body: [UInt8]) -> FakeQuestion { FakeQuestion(body: body, to: population) }

  /// - Parameter change: what is to be said otherwise than it is.
  func answer(
    to question: FakeQuestion, endpoint: FakeEndpoint, at now: Instant,
    _ change: (inout ReceiptStatement) -> Void = { _ in }
  ) -> FakeAnswer {
    guard let subscriber = question.subscriber else { return .refusal(question.refusal ?? 21000) }
    switch (endpoint, subscriber.environment == .sandbox) {
    case (.production, true): return .refusal(21007)
    case (.sandbox, false): return .refusal(21008)
    default: break
    }
    let environment = subscriber.environment.rawValue
    guard question.secret == sharedSecret(of: subscriber.bundleID) else {
      return .refusal(21004, environment: environment)
    }
    if let gone = subscriber.accountGoneFrom, gone <= now {
      return .refusal(21010, environment: environment, isRetryable: false)
    }
    var statement = ReceiptStatement(
      subscriber: subscriber, life: Life(of: subscriber, until: now), now: now,
      excludingOld: question.excludesOld, padding: receiptPadding)
    change(&statement)
    return statement.answer
  }
}

extension FakeStore {
  /// The answers about a subscriber that were kept by somebody who asked as things happened, each as the Server API gave it and its signatures
  /// were verified, a row's when it last changed; none of who has bought nothing yet. With the last comes the receipt to ask with from now on.
  public func past(of subscriber: Subscriber, since: Instant, upTo now: Instant) -> [ImportedAnswer] {
    let life = Life(of: subscriber, until: now)
    let instants = ObservedInstants(subscriber: subscriber, life: life, since: since, now: now).all
    var answers = instants.compactMap { answer(about: subscriber, life, at: $0) }
    guard !answers.isEmpty else { return [] }
    answers[answers.count - 1].answer.latestReceipt = receipt(of: subscriber, at: now).receipt
    return answers
  }

  /// - Parameter life: up to the instant or a later one.
  private func answer(about subscriber: Subscriber, _ life: Life, at t: Instant) -> ImportedAnswer? {
    let rows = life.rows.compactMap {
      try? SignedTransaction($0, of: subscriber, at: t, signedDate: $0.lastChange(upTo: t) ?? t)?
        .transaction()
    }
    guard !rows.isEmpty else { return nil }
    let renewals = life.lines.compactMap { SignedRenewalInfo($0, of: subscriber, at: t, signedDate: t) }
    var answer = Answer(
      environment: subscriber.environment, bundleID: subscriber.bundleID, requestDate: t,
      transactions: rows, renewalInfos: renewals.compactMap { try? $0.renewalInfo() })
    answer.renewalTerms = renewals.compactMap(\.terms)
    return ImportedAnswer(answer: answer, status: 0, appUserID: subscriber.appUserID, observedAt: t)
  }
}

extension FakeStore {
  /// What the app would have handed over: the receipt of a subscriber as of an instant, with the app's own name for the user.
  public struct HandedOver: Sendable {
    public let receipt: ReceiptData
    public let appUserID: AppUserID?
    public let bundleID: BundleID

    /// One line of what `subtop import receipts` reads. It holds the receipt: data, not a log.
    public var jsonLine: String {
      let user = appUserID.map { "\"app_user_id\":\"\($0)\"," } ?? ""
      return "{\(user)\"bundle_id\":\"\(bundleID)\",\"receipt-data\":\"\(receipt.base64)\"}"
    }
  }

  public func receipt(of subscriber: Subscriber, at t: Instant) -> HandedOver {
    let data = subscriber.receipt(of: Life(of: subscriber, until: t), at: t, padding: receiptPadding)
    return HandedOver(
      receipt: ReceiptData(trusted: Data(data).base64EncodedString()),
      appUserID: subscriber.appUserID,
      bundleID: subscriber.bundleID)
  }

  /// The receipts of the whole population, made one by one; none of who comes later.
  public func receipts(at t: Instant) -> some Sequence<HandedOver> {
    (0..<population.count).lazy.map { population[$0] }
      .filter { $0.index < population.countAtFounding || $0.starts <= t }
      .map { receipt(of: $0, at: t) }
  }
}

/// The body of a request, as far as it can be understood.
struct FakeQuestion: Sendable {
  /// Nil where the body is no request.
  let request: VerifyReceiptRequest?
  /// Whose receipt it is; nil where it is none of this store's.
  let subscriber: Subscriber?
  /// 21000, 21002 or 21003; nil where there is a subscriber.
  let refusal: Int?

  var excludesOld: Bool { request?.excludeOldTransactions ?? false }
  var secret: String? { request?.password }

  init(body: [UInt8], to population: FakePopulation) {
    guard let request = try? VerifyReceiptRequest(decoding: body) else {
      (self.request, subscriber, refusal) = (nil, nil, 21000)
      return
    }
    self.request = request
    do {
      let identity = try FakeReceipt.decode(request.receiptData)
      let isOurs = identity.seed == population.seed && identity.index < population.count
      // The receipt knows when its population was founded: one imported yesterday is answered in line with yesterday.
      subscriber = isOurs ? population.subscriber(identity.index, founded: identity.founded) : nil
      refusal = isOurs ? nil : 21003
    } catch {
      (subscriber, refusal) = (nil, error == .malformed ? 21002 : 21003)
    }
  }
}

/// When somebody who watches a subscriber asked the App Store: soon after whatever happened, as notifications and frequent sweeps would
/// have it.
struct ObservedInstants {
  let subscriber: Subscriber
  let life: Life
  let since: Instant
  let now: Instant

  /// What follows in so short a time is seen together.
  private static let together = 5 * Milliseconds.minute

  /// In order; the last is in the last hours before `now`.
  var all: [Instant] {
    var random = SplitMix64(seed: subscriber.seed, index: subscriber.index, stream: 20)
    let changes = changes.sorted()
    var instants: [Instant] = []
    for (place, change) in changes.enumerated() {
      let delay = Self.delay(&random)
      let next = place + 1 < changes.count ? changes[place + 1] : now
      guard next - change > Self.together || next == now else { continue }
      instants.append(min(change + delay, next - Milliseconds.second))
    }
    // Who left is asked about again, but in the year of a demonstration that would tell nothing new.
    let last = now - random.between(Milliseconds.minute, 3 * Milliseconds.hour)
    let isWatched = instants.isEmpty || life.lines.contains { $0.status(at: now) != .expired }
    if isWatched, instants.last.map({ $0 < last }) ?? true { instants.append(last) }
    return instants.filter { $0 < subscriber.accountGoneFrom ?? .distantFuture }.map(\.wholeSecond)
  }

  /// Most is noticed by a notification, the rest by the next sweep.
  private static func delay(_ random: inout SplitMix64) -> Int64 {
    random.chance(0.8)
      ? random.between(2 * Milliseconds.second, 3 * Milliseconds.minute)
      : random.between(10 * Milliseconds.minute, 6 * Milliseconds.hour)
  }

  /// With the beginning, at which everybody was asked about who was there.
  private var changes: Set<Instant> {
    let rows = life.rows
    let all =
      life.lines.flatMap { $0.spans.map(\.from) }
      + rows.flatMap { [$0.visibleFrom, $0.cancelledFrom, $0.upgradedFrom] }
    let isThere = rows.contains { $0.visibleFrom < since }
    return Set(all.filter { $0 >= since && $0 < now } + (isThere ? [since] : []))
  }
}
