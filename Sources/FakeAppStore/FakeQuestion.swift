import AppStore
import Subscriptions

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
