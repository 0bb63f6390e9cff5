import AppStore
import Subscriptions
import Synchronization

/// Creates notifications from the events of the population, and records the attempts to deliver them.
final class NotificationCentre: Sendable {
  let population: FakePopulation
  let signer: FakeSigner
  let postsSince: Instant?
  private let state = Mutex(State())

  private struct State {
    /// Cached events of a range that ends a week after the requested one; generating fewer takes as long.
    var drawn: (range: Range<Instant>, events: [LifeEvent])?
    var attempts: [String: [NotificationAttempt]] = [:]
  }

  private static let ahead = 7 * Milliseconds.day

  init(_ population: FakePopulation, signer: FakeSigner, postsSince: Instant? = nil) {
    (self.population, self.signer, self.postsSince) = (population, signer, postsSince)
  }

  func events(after place: LifeEvent.Place, upTo until: Instant) -> ArraySlice<LifeEvent> {
    let all = state.withLock { state in
      if let (range, events) = state.drawn, range.lowerBound <= place.at, until < range.upperBound {
        return events
      }
      let from = min(place.at, state.drawn?.range.lowerBound ?? place.at)
      let end = max(until, from) + Self.ahead
      let handedOver = population.subscribers.filter { !population.missingFromStore.contains($0.index) }
      let events = handedOver.flatMap { subscriber in
        subscriber.events(upTo: end - 1).filter { $0.place.at >= from }
      }.sorted { $0.place < $1.place }
      state.drawn = (from..<end, events)
      return events
    }
    let first = all.placeAfter { $0.place <= place }
    return all[first..<max(first, all.placeAfter { $0.place.at <= until })]
  }

  // MARK: Payloads

  /// Returns the `notificationUUID`, which is the same at every attempt.
  func uuid(of event: LifeEvent) -> String {
    var random = SplitMix64(
      seed: population.seed ^ UInt64(bitPattern: event.place.at.rawValue) &* 0x9E37_79B9_7F4A_7C15,
      index: event.place.index, stream: UInt64(event.place.order))
    return random.uuid()
  }

  /// Returns the signed payload, which shows the state at the time of the event, even in a later attempt.
  func signedPayload(of event: LifeEvent) -> String {
    let (news, subscriber) = (event.news, population[event.place.index])
    let statement = CustomerStatement(subscriber, at: news.at, signer: signer)
    let row = statement.row(of: news.transactionID.rawValue)
    let line = statement.life.lines.first {
      $0.customer.originalTransactionID == row?.transaction.originalTransactionID
    }
    var status = line?.status(at: news.at)?.rawValue
    // Apple has been seen to send status 1 with a refund if the period had not ended.
    if news.type == "REFUND", let expires = line?.current(at: news.at)?.expiresDate {
      status = expires > news.at ? 1 : 2
    }
    let data =
      JSON.app(subscriber.bundleID, isSandbox: subscriber.isSandbox) + [
        ("bundleVersion", "431"), ("signedTransactionInfo", JSON(row.flatMap(statement.signed))),
        ("signedRenewalInfo", JSON(line.flatMap(statement.renewalInfo))), ("status", JSON(status)),
      ]
    // App Store Server Notifications › responseBodyV2DecodedPayload.
    let payload: JSON = [
      "notificationType": .text(news.type), "subtype": JSON(news.subtype),
      "notificationUUID": .text(uuid(of: event)), "data": .object(data), "version": "2.0",
      "signedDate": JSON(news.at),
    ]
    return signer.sign(payload.bytes)
  }

  // MARK: Attempts

  func add(_ attempt: NotificationAttempt, of uuid: String) -> [NotificationAttempt] {
    state.withLock { state in
      state.attempts[uuid, default: []].append(attempt)
      return state.attempts[uuid] ?? []
    }
  }

  func attempts(of event: LifeEvent, upTo t: Instant) -> [NotificationAttempt] {
    guard let postsSince, event.place.at > postsSince else { return pastAttempts(of: event, upTo: t) }
    let all = state.withLock { $0.attempts[uuid(of: event)] ?? [] }
    return all.filter { $0.date <= t }
  }

  /// Returns one invented attempt for an event up to `postsSince`; empty if it would be after `t`.
  ///
  /// If `postsSince` is `nil`, the attempts of all events are invented. About one in twenty failed.
  private func pastAttempts(of event: LifeEvent, upTo t: Instant) -> [NotificationAttempt] {
    let date = event.place.at + Milliseconds.second
    var random = SplitMix64(
      seed: population.seed ^ UInt64(bitPattern: date.rawValue), index: event.place.index, stream: 13)
    return date > t
      ? [] : [NotificationAttempt(date: date, result: random.chance(0.95) ? "SUCCESS" : "NO_RESPONSE")]
  }
}

/// Attempt to deliver a notification: *App Store Server API › sendAttemptItem*.
struct NotificationAttempt: Sendable {
  let date: Instant
  /// Result of the attempt, such as `SUCCESS`: *App Store Server API › sendAttemptResult*.
  let result: String
}

extension [NotificationAttempt] {
  var isDelivered: Bool { last?.result == "SUCCESS" }

  /// Returns the date of the next attempt; `nil` if no attempt follows, as always in the sandbox.
  func next(isSandbox: Bool) -> Instant? {
    let hours: [Int64] = [1, 12, 24, 48, 72]
    guard !isSandbox, !isDelivered, let last, count <= hours.count else { return nil }
    return last.date + hours[count - 1] * Milliseconds.hour
  }
}

/// Notifications of a population, generated without a server and signed by their own certificate authority.
public struct FakeNotifications: Sendable {
  private let centre: NotificationCentre

  public init?(of population: FakePopulation) {
    guard let signer = FakeSigner() else { return nil }
    centre = NotificationCentre(population, signer: signer)
  }

  public var rootCertificatePEM: String { centre.signer.authority.root.pem }

  /// Returns the bodies of notifications after `from` and up to `until`, oldest first and generated lazily.
  public func bodies(after from: Instant, upTo until: Instant) -> some Sequence<[UInt8]> {
    centre.events(after: LifeEvent.Place(at: from, index: .max, order: 0), upTo: until).lazy
      .map { JSON.notification(centre.signedPayload(of: $0)) }
  }
}

extension JSON {
  /// Body of a notification: *App Store Server Notifications › responseBodyV2*.
  static func notification(_ signedPayload: String) -> [UInt8] {
    JSON.object([("signedPayload", .text(signedPayload))]).bytes
  }
}
