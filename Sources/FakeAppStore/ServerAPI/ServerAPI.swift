import AppStore
import HTTPServer
import Subscriptions

/// App Store Server API for a population, with the same subscriber histories as verifyReceipt.
struct ServerAPI: Sendable {
  let population: FakePopulation
  let signer: FakeSigner
  let check: TokenCheck
  let notifications: NotificationCentre
  /// Signer for the fault `otherRoot`; its untrusted authority issues certificates with Apple's extensions.
  private let impostor: FakeSigner?
  private let retryAfter: Int

  init?(_ population: FakePopulation, _ configuration: FakeAppStoreConfiguration) {
    guard let signer = FakeSigner(), let key = ES256Key.generate() else { return nil }
    (self.population, self.signer) = (population, signer)
    impostor = FakeSigner()
    let since = configuration.notificationAddress.map { _ in configuration.clock.now }
    notifications = NotificationCentre(population, signer: signer, postsSince: since)
    check = TokenCheck(
      key: key, keyID: configuration.keyID, issuerID: configuration.issuerID, apps: population.bundleIDs)
    retryAfter = configuration.faultSettings.retryAfter
  }

  func subscriber(of request: ServerAPIRequest) -> Subscriber? {
    guard let id = FakeID(request.id), id.isSandbox == request.isSandbox, id.index < population.count else {
      return nil
    }
    let subscriber = population[id.index]
    return subscriber.isSandbox == request.isSandbox ? subscriber : nil
  }

  private func answer(
    to request: ServerAPIRequest, at now: Instant, _ change: (inout CustomerStatement) -> Void
  ) -> HTTPResponse {
    // Tokens use real time, not the fake's clock.
    guard let app = check.app(bearing: request.authorization, at: FakeClock.realNow) else {
      return .unauthenticated
    }
    do throws(FakeServerAPIError) {
      switch request.endpoint {
      case .history, .statuses, .transaction:
        var customer = try customer(request, at: now)
        guard customer.subscriber.bundleID == app else { return .unauthenticated }
        change(&customer)
        return .json(try answer(to: request, about: customer))
      case .notificationHistory: return .json(try notifications.history(request, for: app, at: now))
      }
    } catch {
      return .refusal(error)
    }
  }

  private func customer(
    _ request: ServerAPIRequest, at now: Instant
  ) throws(FakeServerAPIError) -> CustomerStatement {
    let digits = request.id.utf8
    guard (2...20).contains(digits.count), digits.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      throw .invalidTransactionID
    }
    guard let id = FakeID(request.id), let subscriber = subscriber(of: request), id.kind != .webOrderLineItem
    else { throw .transactionIDNotFound }
    let statement = CustomerStatement(subscriber, at: now, signer: signer)
    if id.kind == .transaction, statement.row(of: request.id) == nil { throw .transactionIDNotFound }
    return statement
  }

  private func answer(
    to request: ServerAPIRequest, about customer: CustomerStatement
  ) throws(FakeServerAPIError) -> [UInt8] {
    if let gone = customer.subscriber.accountGoneFrom, gone <= customer.now { throw .accountNotFound }
    switch request.endpoint {
    case .statuses: return customer.statuses
    case .transaction: return try customer.transaction(request.id)
    default: return try customer.history(after: request.value("revision"))
    }
  }

  func incoming(_ request: ServerAPIRequest) -> IncomingRequest {
    IncomingRequest(subscriber: subscriber(of: request)) { fault in
      fault == .staleToken ? staleness(of: request) != nil : fault.isOfServerAPI
    } answer: { fault, now, random in
      switch fault {
      case .status(let code):
        let error = FakeServerAPIError(rawValue: code) ?? .generalInternal
        let later = FakeClock.realNow + Int64(retryAfter) * Milliseconds.second
        return .refusal(error, retryAfter: error == .rateLimitExceeded ? later : nil)
      case .staleToken: return .refusal(staleness(of: request) ?? .generalInternal)
      default: return answer(to: request, at: now, with: fault, &random)
      }
    }
  }

  /// Returns the error that rejects the revision or pagination token of a request; `nil` if it has neither.
  private func staleness(of request: ServerAPIRequest) -> FakeServerAPIError? {
    switch request.endpoint {
    case .history where request.value("revision") != nil: .invalidRequestRevision
    case .notificationHistory where request.value("paginationToken") != nil: .paginationTokenExpired
    default: nil
    }
  }

  /// Returns an answer with a fault, or the correct answer if the fault finds nothing to change in it.
  private func answer(
    to request: ServerAPIRequest, at now: Instant, with fault: Fault?, _ random: inout SplitMix64
  ) -> HTTPResponse {
    let stranger = subscriber(of: request).flatMap { population.neighbour(of: $0, &random) }
    var answer = answer(to: request, at: now) { statement in
      switch fault {
      case .clockAhead: statement.signedDate = now + 2 * Milliseconds.day
      case .emptyHistory: statement.isEmptied = true
      case .anotherReceipt:
        if let stranger { statement = CustomerStatement(stranger, at: now, signer: signer) }
      case .stranger: statement.strangers = stranger.map { rows(of: $0, at: now) } ?? []
      default: break
      }
    }
    guard let fault, answer.isJSON else { return answer }
    let body =
      switch fault {
      case .signature:
        Forgery.signed(in: answer.bytes, { random.pick($0).map { [$0] } ?? [] }, changingSignature)
      case .otherRoot: Forgery.signed(in: answer.bytes, \.self) { impostor?.sign(again: $0) ?? $0 }
      case .otherApp: Forgery.signed(in: answer.bytes, \.self, ofAnotherApp)
      default: Forgery.body(answer.bytes, with: fault, &random)
      }
    answer.body = .bytes(body)
    return answer
  }

  private func rows(of subscriber: Subscriber, at now: Instant) -> [String] {
    let statement = CustomerStatement(subscriber, at: now, signer: signer)
    return statement.life.history(at: now).suffix(3).compactMap { statement.signed($0.row) }
  }

  private func changingSignature(_ text: String) -> String {
    guard let jws = CompactJWS(text), var signature = CompactJWS.bytes(of: jws.signature) else { return text }
    signature[signature.count - 1] ^= 1
    return "\(jws.header).\(jws.payload).\(CompactJWS.part(signature))"
  }

  private func ofAnotherApp(_ text: String) -> String {
    guard let jws = CompactJWS(text), let payload = CompactJWS.bytes(of: jws.payload) else { return text }
    return signer.sign(payload.replacing("\"bundleId\":\"", with: "\"bundleId\":\"\(Forgery.elsewhere)."))
  }
}
