import AppStore
import Subscriptions

/// An App Store without a network: takes the body of a request, gives the body of the answer.
public struct FakeStore: Sendable {
  public let population: FakePopulation
  /// The secret that every app of this store shares.
  public let sharedSecret: String
  /// Bytes added to every receipt.
  public let receiptPadding: Int

  /// What `fake-app-store` expects where it is told no other secret.
  public static let defaultSharedSecret = "subtop-demo"

  public init(
    population: FakePopulation, sharedSecret: String = FakeStore.defaultSharedSecret, receiptPadding: Int = 0
  ) {
    self.population = population
    self.sharedSecret = sharedSecret
    self.receiptPadding = receiptPadding
  }

  /// Answers as Apple would at an instant: the same question at the same instant gives the same bytes.
  public func answer(to body: [UInt8], endpoint: FakeEndpoint, at now: Instant) -> FakeAnswer {
    guard let request = try? VerifyReceiptRequest(decoding: body) else { return .refusal(21000) }
    let identity: ReceiptIdentity
    do {
      identity = try FakeReceipt.decode(request.receiptData)
    } catch {
      return .refusal(error == .malformed ? 21002 : 21003)
    }
    guard identity.seed == population.seed, identity.index < population.count else { return .refusal(21003) }
    // The receipt knows when its population was founded: one imported yesterday is answered in line with yesterday.
    let subscriber = Subscriber(index: identity.index, seed: identity.seed, founded: identity.founded)
    switch (endpoint, subscriber.environment == .sandbox) {
    case (.production, true): return .refusal(21007)
    case (.sandbox, false): return .refusal(21008)
    default: break
    }
    let environment = subscriber.environment.rawValue
    guard request.password == sharedSecret else { return .refusal(21004, environment: environment) }
    if let gone = subscriber.accountGoneFrom, gone <= now {
      return .refusal(21010, environment: environment, isRetryable: false)
    }
    return answer(about: subscriber, at: now, excludingOld: request.excludeOldTransactions)
  }

  private func answer(about subscriber: Subscriber, at now: Instant, excludingOld: Bool) -> FakeAnswer {
    let life = Life(of: subscriber, until: now)
    if subscriber.kind == .legacy {
      return LegacyAnswer(subscriber: subscriber, life: life, now: now).answer
    }
    let statement = ReceiptStatement(
      subscriber: subscriber, life: life, now: now, excludingOld: excludingOld, padding: receiptPadding)
    return FakeAnswer(status: 0, body: statement.json)
  }
}
