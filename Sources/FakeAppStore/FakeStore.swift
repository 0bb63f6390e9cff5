import AppStore
import FoundationEssentials
import Subscriptions

/// Source of verifyReceipt answers for a population, without a network.
public struct FakeStore: Sendable {
  public let population: FakePopulation
  public var sharedSecret = Self.defaultSharedSecret

  public static let defaultSharedSecret = "subtop-demo"
  public static let defaultIssuerID = "5b7d0c3e-8f1a-4c62-9d24-6a0f3e51b7c8"
  public static let defaultKeyID = "SUBTOPDEMO"

  public init(population: FakePopulation) { self.population = population }

  /// Returns the answer to a request body; the same body and instant give the same bytes.
  public func answer(to body: [UInt8], endpoint: FakeEndpoint, at now: Instant) -> FakeAnswer {
    answer(to: FakeQuestion(body: body, to: population), endpoint: endpoint, at: now)
  }

  /// Returns the answer to a decoded request; `change` injects faults into the statement before encoding.
  func answer(
    to question: FakeQuestion, endpoint: FakeEndpoint, at now: Instant,
    _ change: (inout ReceiptStatement) -> Void = { _ in }
  ) -> FakeAnswer {
    guard let subscriber = question.subscriber else { return .refusal(question.refusal ?? 21000) }
    guard (endpoint == .sandbox) == subscriber.isSandbox else {
      return .refusal(subscriber.isSandbox ? 21007 : 21008)
    }
    let environment = subscriber.environment.rawValue
    guard question.request?.password == sharedSecret else {
      return .refusal(21004, environment: environment)
    }
    if let gone = subscriber.accountGoneFrom, gone <= now {
      return .refusal(21010, environment: environment, isRetryable: false)
    }
    var statement = ReceiptStatement(
      subscriber: subscriber, life: Life(of: subscriber, until: now), now: now,
      excludingOld: question.request?.excludeOldTransactions ?? false)
    change(&statement)
    return statement.answer
  }

  /// Returns the answers that a store would contain if it had queried Apple soon after every change.
  ///
  /// Their transactions have all the fields that the Server API returns, and are signed at their last change.
  /// The last answer also has the current receipt. The result is empty if the subscriber has no purchases, or
  /// is in `population.missingFromStore`.
  public func past(of subscriber: Subscriber, since: Instant, upTo now: Instant) -> [ImportedAnswer] {
    guard !population.missingFromStore.contains(subscriber.index) else { return [] }
    let life = Life(of: subscriber, until: now)
    let instants = observedInstants(of: subscriber, life, since: since, now: now)
    var answers = instants.compactMap { answer(about: subscriber, life, at: $0) }
    guard !answers.isEmpty else { return [] }
    answers[answers.count - 1].answer.latestReceipt = receipt(of: subscriber, at: now).receipt
    return answers
  }

  /// Returns Server API data at `t`, from a life that ends at `t` or later; `nil` before the first purchase.
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

  /// Receipt of a subscriber at an instant, as an app's backend would store it.
  public struct HandedOver: Sendable {
    public let receipt: ReceiptData
    public let appUserID: AppUserID?
    public let bundleID: BundleID

    public var jsonLine: String {
      let user = appUserID.map { "\"app_user_id\":\"\($0)\"," } ?? ""
      return "{\(user)\"bundle_id\":\"\(bundleID)\",\"receipt-data\":\"\(receipt.base64)\"}"
    }
  }

  public func receipt(of subscriber: Subscriber, at t: Instant) -> HandedOver {
    let data = subscriber.receipt(of: Life(of: subscriber, until: t), at: t)
    return HandedOver(
      receipt: ReceiptData(trusted: Data(data).base64EncodedString()),
      appUserID: subscriber.appUserID,
      bundleID: subscriber.bundleID)
  }

  /// Returns the receipts lazily; omits `missingFromStore` and subscribers who arrive after `t`.
  public func receipts(at t: Instant) -> some Sequence<HandedOver> {
    (0..<population.count).lazy.filter { !population.missingFromStore.contains($0) }.map { population[$0] }
      .filter { $0.index < population.countAtFounding || $0.starts <= t }
      .map { receipt(of: $0, at: t) }
  }
}

/// Decoded request to verifyReceipt.
struct FakeQuestion: Sendable {
  let request: VerifyReceiptRequest?
  let subscriber: Subscriber?
  let refusal: Int?

  init(body: [UInt8], to population: FakePopulation) {
    request = try? VerifyReceiptRequest(decoding: body)
    guard let request else {
      (subscriber, refusal) = (nil, 21000)
      return
    }
    do {
      let identity = try FakeReceipt.decode(request.receiptData)
      let isOurs = identity.seed == population.seed && identity.index < population.count
      // The receipt's founding instant is used, so that receipts of an earlier server get consistent answers.
      subscriber = isOurs ? population.subscriber(identity.index, founded: identity.founded) : nil
      refusal = isOurs ? nil : 21003
    } catch {
      (subscriber, refusal) = (nil, error.rawValue)
    }
  }
}

extension FakeStore {
  /// Returns the instants at which `past` queries a subscriber: soon after each change, and once at the end.
  ///
  /// A renewal over 28 days ago that changed nothing else has no separate query. The last query is at most
  /// three hours before `now` or the account's end; it is omitted for expired subscribers with other queries.
  private func observedInstants(
    of subscriber: Subscriber, _ life: Life, since: Instant, now: Instant
  ) -> [Instant] {
    var random = SplitMix64(seed: subscriber.seed, index: subscriber.index, stream: 20)
    let seen =
      life.lines.flatMap { line in
        zip(line.spans, [nil] + line.spans.map(\.info)).filter { $0.info != $1 }.map(\.0.from)
      }
      + life.rows.flatMap { row in
        let isEarlier = row.isRenewal && row.visibleFrom < now - 28 * Milliseconds.day
        return [isEarlier ? now : row.visibleFrom, row.cancelledFrom, row.upgradedFrom]
      }
    let isThere = life.rows.contains { $0.visibleFrom < since }
    let changes = Set(seen.filter { $0 >= since && $0 < now } + (isThere ? [since] : [])).sorted()
    var instants: [Instant] = []
    for (place, change) in changes.enumerated() {
      // Most changes are noticed through a notification. The next sweep finds all others.
      let delay =
        random.chance(0.8)
        ? random.between(2 * Milliseconds.second, 3 * Milliseconds.minute)
        : random.between(10 * Milliseconds.minute, 6 * Milliseconds.hour)
      let next = place + 1 < changes.count ? changes[place + 1] : now
      // One query observes several changes that are close together.
      guard next - change > 5 * Milliseconds.minute || next == now else { continue }
      instants.append(min(change + delay, next - Milliseconds.second))
    }
    // Expired subscribers are not queried again, because a demo of one year would show nothing new.
    let end = min(now, subscriber.accountGoneFrom ?? now)
    let last = end - random.between(Milliseconds.minute, 3 * Milliseconds.hour)
    let isWatched = instants.isEmpty || life.lines.contains { $0.status(at: now) != .expired }
    if isWatched, instants.last.map({ $0 < last }) ?? true { instants.append(last) }
    return instants.filter { $0 < subscriber.accountGoneFrom ?? .distantFuture }.map(\.wholeSecond)
  }
}
