import AppStore
import Subscriptions

/// Answers App Store Server API requests for a population, without a network.
///
/// Its data are derived from the same lives as verifyReceipt's.
struct ServerAPI: Sendable {
  let population: FakePopulation
  let signer: FakeSigner
  let check: TokenCheck
  let notifications: NotificationCentre
  /// Signer with an untrusted authority whose certificates have Apple's marks, for a fault.
  let impostor: FakeSigner?
  private let limit: RateLimit
  private let unreleased: Set<BundleID>

  /// Generates the keys; `nil` if libcrypto fails.
  init?(_ population: FakePopulation, _ configuration: FakeAppStoreConfiguration) {
    guard let signer = FakeSigner(), let key = ES256Key.generate() else { return nil }
    (self.population, self.signer) = (population, signer)
    impostor = FakeSigner()
    let log = configuration.notificationAddress.map { _ in NotificationLog(since: configuration.clock.now) }
    notifications = NotificationCentre(population, signer: signer, log: log)
    check = TokenCheck(
      key: key, keyID: configuration.keyID, issuerID: configuration.issuerID, apps: population.bundleIDs)
    limit = RateLimit(perSecond: configuration.serverAPIRate)
    unreleased = configuration.unreleasedApps
  }

  /// Returns the answer to a request.
  ///
  /// - Parameters:
  ///   - now: fake time, used in everything signed.
  ///   - realNow: time of the machine, used for tokens and rate limits.
  ///   - change: modifies the statement before it is encoded, for faults.
  ///   - forge: modifies the signed payloads of the notification history, for faults.
  func answer(
    to request: ServerAPIRequest, at now: Instant, realNow: Instant,
    _ change: (inout CustomerStatement) -> Void = { _ in }, forge: (String) -> String = { $0 }
  ) -> HTTPAnswer {
    let call = request.call
    guard let app = check.app(bearing: request.authorization, at: realNow),
      call.isSandbox || !unreleased.contains(app)
    else { return .unauthenticated }
    if let next = limit.refusal(of: call, for: app, at: realNow) {
      return .refusal(.rateLimitExceeded, retryAfter: next)
    }
    do throws(FakeServerAPIError) {
      switch call.endpoint {
      case .history, .statuses, .transaction:
        guard var customer = try customer(call, at: now) else { return .refusal(.transactionIDNotFound) }
        guard customer.subscriber.bundleID == app else { return .unauthenticated }
        change(&customer)
        return .ok(try answer(to: request, about: customer))
      case .notificationHistory: return .ok(try notifications.history(request, for: app, at: now, forge))
      case .testNotification: return .ok(try notifications.test(for: app, call, at: now))
      case .testNotificationStatus: return .ok(try notifications.testStatus(call.id))
      }
    } catch {
      return .refusal(error)
    }
  }

  /// Returns the owner of the id in a request; `nil` if the id is unknown.
  func subscriber(of call: ServerAPICall) -> Subscriber? {
    guard let id = FakeID(call.id), id.isSandbox == call.isSandbox, id.index < population.count else {
      return nil
    }
    let subscriber = population[id.index]
    return (subscriber.environment == .sandbox) == call.isSandbox ? subscriber : nil
  }

  private func customer(
    _ call: ServerAPICall, at now: Instant
  ) throws(FakeServerAPIError) -> CustomerStatement? {
    let digits = call.id.utf8
    guard (2...20).contains(digits.count), digits.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      throw .invalidTransactionID
    }
    guard let id = FakeID(call.id), let subscriber = subscriber(of: call) else { return nil }
    let statement = CustomerStatement(subscriber, at: now, signer: signer)
    switch id.kind {
    case .webOrderLineItem: return nil
    case .transaction where statement.row(of: call.id) == nil: return nil
    case .appTransaction where call.endpoint == .transaction: throw .appTransactionIDNotSupported
    default: return statement
    }
  }

  private func answer(
    to request: ServerAPIRequest, about customer: CustomerStatement
  ) throws(FakeServerAPIError) -> [UInt8] {
    if let gone = customer.subscriber.accountGoneFrom, gone <= customer.now { throw .accountNotFound }
    switch request.call.endpoint {
    case .statuses: return customer.statuses(try statuses(request.values("status")))
    case .transaction: return try customer.transaction(request.call.id)
    default: return try customer.history(try HistoryQuery(request))
    }
  }

  private func statuses(_ texts: [String]) throws(FakeServerAPIError) -> Set<LineLife.Status> {
    var statuses: Set<LineLife.Status> = []
    for text in texts {
      guard let status = Int64(text).flatMap(LineLife.Status.init) else { throw .invalidStatus }
      statuses.insert(status)
    }
    return statuses
  }
}

/// Answers with faults.
extension ServerAPI {
  /// Returns an answer with a fault. Answers that the fault does not apply to, such as errors, are correct.
  func answer(
    to request: ServerAPIRequest, at now: Instant, realNow: Instant, with fault: Fault?,
    _ random: inout SplitMix64
  ) -> HTTPAnswer {
    let draw = random.next()
    let stranger = subscriber(of: request.call).flatMap { population.neighbour(of: $0, &random) }
    let forge: @Sendable (String) -> String = { text in
      switch fault {
      case .signature: Self.changingSignature(text)
      case .otherRoot: impostor?.sign(again: text) ?? text
      default: text
      }
    }
    let change = { (statement: inout CustomerStatement) in
      switch fault {
      case .clockAhead: statement.signedDate = now + 2 * Milliseconds.day
      case .emptyHistory: statement.isEmptied = true
      case .anotherReceipt:
        if let stranger { statement = CustomerStatement(stranger, at: now, signer: signer) }
      case .stranger: statement.strangers = stranger.map { rows(of: $0, at: now) } ?? []
      // Only one of the rows.
      case .signature:
        statement.forge = { $1 == Int(draw % UInt64(max(1, $2))) ? forge($0) : $0 }
      case .otherRoot: statement.forge = { text, _, _ in forge(text) }
      case .otherApp: statement.forge = { text, _, _ in Self.ofAnotherApp(text, signer) }
      default: break
      }
    }
    var answer = answer(to: request, at: now, realNow: realNow, change, forge: forge)
    if let fault, answer.isJSON { answer.body = Forgery.body(answer.body, with: fault, &random) }
    return answer
  }

  /// Returns the most recently changed rows, signed.
  private func rows(of subscriber: Subscriber, at now: Instant) -> [String] {
    let statement = CustomerStatement(subscriber, at: now, signer: signer)
    return statement.life.history(at: now).suffix(3).compactMap { statement.signed($0.row) }
  }

  /// Returns the data with an invalid signature.
  private static func changingSignature(_ text: String) -> String {
    guard let jws = CompactJWS(text), var signature = CompactJWS.bytes(of: jws.signature) else { return text }
    signature[signature.count - 1] ^= 1
    return "\(jws.header).\(jws.payload).\(CompactJWS.part(signature))"
  }

  /// Returns the data with another app's bundle id and a valid signature.
  private static func ofAnotherApp(_ text: String, _ signer: FakeSigner) -> String {
    guard let jws = CompactJWS(text), let payload = CompactJWS.bytes(of: jws.payload) else { return text }
    return signer.sign(payload.replacing("\"bundleId\":\"", with: "\"bundleId\":\"\(Forgery.elsewhere)."))
  }
}
