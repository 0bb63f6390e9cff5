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

  /// What a statement may say other than the truth.
  enum Version {
    case asIs
    case emptied
    /// With another `request_date`.
    case dated(Instant)
    /// With somebody else's purchases among the subscriber's own.
    case mixed(with: Subscriber)
  }

  func answer(
    to question: FakeQuestion, endpoint: FakeEndpoint, at now: Instant, as version: Version = .asIs
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
    return answer(about: subscriber, at: now, excludingOld: question.excludesOld, as: version)
  }

  func answer(
    about subscriber: Subscriber, at now: Instant, excludingOld: Bool, as version: Version
  )
    -> FakeAnswer
  {
    var statement = ReceiptStatement(
      subscriber: subscriber, life: Life(of: subscriber, until: now), now: now, excludingOld: excludingOld,
      padding: receiptPadding)
    switch version {
    case .asIs: break
    case .emptied:
      statement.life = .empty
      return FakeAnswer(status: 0, body: statement.json)
    case .dated(let date): statement.requestDate = date
    case .mixed(let stranger): statement.strangers = Life(of: stranger, until: now)
    }
    if subscriber.kind == .legacy {
      return LegacyAnswer(subscriber: subscriber, life: statement.life, now: now).answer
    }
    return FakeAnswer(status: 0, body: statement.json)
  }
}
