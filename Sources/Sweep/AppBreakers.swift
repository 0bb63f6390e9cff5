import Subscriptions

/// Stops the receipts of an app whose shared secret or key Apple refuses, or whose answers nobody trusted has signed or are of another
/// app, before the queue is burnt on it.
///
/// One 21004 among valid answers is about that receipt; several in a row are about the secret.
package struct AppBreakers<Entry: Sendable>: Sendable {
  private struct Breaker: Sendable {
    var reason: StoppedApp.Reason?
    /// What the refusals say.
    var refusal = StoppedApp.Reason.secretRefused
    var refusedKey: StoppedApp.RefusedKey?
    /// Whether an answer of this sweep has carried data, which no wrong secret brings.
    var isProven = false
    /// Refused since then; kept back until it is clear what they tell.
    var refused: [Entry] = []
    var inFlight = 0
    /// Whether an answer of this sweep was the app's and signed by whom it should be.
    var isTrusted = false
    /// Whether some customer's answers were of no other app, signed or with nothing new in them.
    var isAnswered = false
    /// Customers whose first answer was not, before any was.
    var distrusted = 0
    /// What was wrong with the last of them.
    var distrust = StoppedApp.Reason.untrusted
    /// Why that was refused.
    var refusedAnswer: String?
    /// Whether nothing of it can be relied on so far.
    var isDoubted: Bool { distrusted > 0 && !isCleared(of: distrust) }

    func isCleared(of doubt: StoppedApp.Reason) -> Bool { isTrusted || doubt == .otherApp && isAnswered }
  }

  /// Refusals in a row that stop an app; also how many requests an app has in flight before its secret is proven.
  package static var patience: Int { 3 }

  private var breakers: [BundleID?: Breaker] = [:]

  package init() {}

  package var stopped: [StoppedApp] {
    breakers.compactMap { app, breaker in
      breaker.reason.map { reason in
        StoppedApp(
          bundleID: app, reason: reason, refusedKey: reason == .keyRefused ? breaker.refusedKey : nil,
          refusal: reason == breaker.distrust ? breaker.refusedAnswer : nil)
      }
    }
    .sorted { ($0.bundleID?.rawValue ?? "") < ($1.bundleID?.rawValue ?? "") }
  }

  package func isStopped(_ app: BundleID?) -> Bool { breakers[app]?.reason != nil }

  package func mayBegin(_ app: BundleID?) -> Bool {
    guard let breaker = breakers[app] else { return true }
    return breaker.reason == nil
      && (breaker.isProven || breaker.inFlight + breaker.refused.count < Self.patience)
  }

  /// Whether something that came for the app was not its own or signed by nobody who is trusted, and nothing was as it should be.
  package func isDoubted(_ app: BundleID?) -> Bool { breakers[app]?.isDoubted ?? false }

  package mutating func begin(_ app: BundleID?) { breakers[app, default: Breaker()].inFlight += 1 }
  package mutating func land(_ app: BundleID?) { breakers[app, default: Breaker()].inFlight -= 1 }

  package mutating func stop(_ app: BundleID?, because reason: StoppedApp.Reason) {
    breakers[app, default: Breaker()].reason = breakers[app]?.reason ?? reason
  }

  /// Takes an answer with data.
  ///
  /// - Returns: the refusals before it, which were about their own receipts then.
  package mutating func accept(_ app: BundleID?) -> [Entry] {
    breakers[app, default: Breaker()].isProven = true
    return takeRefused(app)
  }

  /// Takes a 21004, or of a key a 401.
  ///
  /// - Returns: the refusals that stop the app, this one included; nil while it is not clear what they tell.
  package mutating func refuse(
    _ app: BundleID?, _ entry: Entry, key: StoppedApp.RefusedKey? = nil
  ) -> [Entry]? {
    breakers[app, default: Breaker()].refused.append(entry)
    if let key {
      breakers[app]?.refusal = .keyRefused
      breakers[app]?.refusedKey = key
    }
    let isStopped = breakers[app]?.reason != nil
    guard isStopped || breakers[app]?.refused.count ?? 0 >= Self.patience else { return nil }
    stop(app, because: breakers[app]?.refusal ?? .secretRefused)
    return takeRefused(app)
  }

  /// Takes signed data of the app that was verified.
  package mutating func trust(_ app: BundleID?) { breakers[app, default: Breaker()].isTrusted = true }

  /// Takes all that was asked of a customer, whether there was signed data in it or not.
  package mutating func noteAnswered(_ app: BundleID?) { breakers[app, default: Breaker()].isAnswered = true }

  /// Takes the first answer about a customer, or a notification, where nobody trusted has signed it or it is of another app. One is that
  /// one's trouble; several before any that is as it should be are about whoever answers, or about what is configured.
  package mutating func distrust(
    _ app: BundleID?, because reason: String, as kind: StoppedApp.Reason = .untrusted
  ) {
    guard breakers[app]?.isCleared(of: kind) != true, breakers[app]?.reason == nil else { return }
    breakers[app, default: Breaker()].distrusted += 1
    breakers[app]?.distrust = kind
    breakers[app]?.refusedAnswer = reason
    if breakers[app]?.distrusted ?? 0 >= Self.patience { stop(app, because: kind) }
  }

  /// At the end: an app whose secret was refused and never taken, or of which nothing came as it should be, is stopped, however few its
  /// receipts are.
  ///
  /// - Returns: refusals of apps whose secret is good.
  package mutating func settle() -> [Entry] {
    var isolated: [Entry] = []
    for (app, breaker) in breakers where !breaker.refused.isEmpty && breaker.reason == nil {
      if breaker.isProven { isolated += takeRefused(app) } else { breakers[app]?.reason = breaker.refusal }
    }
    for (app, breaker) in breakers where breaker.isDoubted { stop(app, because: breaker.distrust) }
    return isolated
  }

  private mutating func takeRefused(_ app: BundleID?) -> [Entry] {
    defer { breakers[app]?.refused = [] }
    return breakers[app]?.refused ?? []
  }
}
