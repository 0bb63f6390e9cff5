import Subscriptions

/// Stops the requests of an app that all fail for one reason: Apple refuses its shared secret or key, or the
/// answers lack a trusted signature or are about another app.
///
/// A single 21004 among valid answers is about that receipt; several in a row are about the secret.
package struct AppBreakers<Entry: Sendable>: Sendable {
  private struct Breaker: Sendable {
    var reason: StoppedApp.Reason?
    /// Reason to stop the app if refusals continue.
    var refusal = StoppedApp.Reason.secretRefused
    var refusedKey: StoppedApp.RefusedKey?
    /// Whether an answer of this sweep carried data, which proves the secret.
    var isProven = false
    /// Entries refused since the last answer with data, held until the cause is clear.
    var refused: [Entry] = []
    var inFlight = 0
    /// Whether verified signed data of the app arrived in this sweep.
    var isTrusted = false
    /// Whether all answers about some customer were accepted, even if they contained no signed data.
    var isAnswered = false
    /// Number of rejected customers and notifications before any was accepted.
    var distrusted = 0
    /// Kind of the last rejection.
    var distrust = StoppedApp.Reason.untrusted
    var refusedAnswer: String?
    /// Whether there were rejections and nothing has been accepted so far.
    var isDoubted: Bool { distrusted > 0 && !isCleared(of: distrust) }

    func isCleared(of doubt: StoppedApp.Reason) -> Bool { isTrusted || doubt == .otherApp && isAnswered }
  }

  /// Consecutive refusals that stop an app, and its requests in flight until the secret is proven.
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

  package func isDoubted(_ app: BundleID?) -> Bool { breakers[app]?.isDoubted ?? false }

  package mutating func begin(_ app: BundleID?) { breakers[app, default: Breaker()].inFlight += 1 }
  package mutating func land(_ app: BundleID?) { breakers[app, default: Breaker()].inFlight -= 1 }

  package mutating func stop(_ app: BundleID?, because reason: StoppedApp.Reason) {
    breakers[app, default: Breaker()].reason = breakers[app]?.reason ?? reason
  }

  /// Records an answer with data.
  ///
  /// - Returns: the refusals before it, which are now known to be about their own receipts.
  package mutating func accept(_ app: BundleID?) -> [Entry] {
    breakers[app, default: Breaker()].isProven = true
    return takeRefused(app)
  }

  /// Records a 21004 or, if a key was used, a 401.
  ///
  /// - Returns: all refusals, including this one, if the app is stopped; `nil` while the cause is unclear.
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

  package mutating func trust(_ app: BundleID?) { breakers[app, default: Breaker()].isTrusted = true }

  package mutating func noteAnswered(_ app: BundleID?) { breakers[app, default: Breaker()].isAnswered = true }

  /// Records a rejected notification or first answer about a customer: untrusted, or about another app. A
  /// single rejection may be the customer's; several before anything is accepted point to the server or the
  /// configuration.
  package mutating func distrust(
    _ app: BundleID?, because reason: String, as kind: StoppedApp.Reason = .untrusted
  ) {
    guard breakers[app]?.isCleared(of: kind) != true, breakers[app]?.reason == nil else { return }
    breakers[app, default: Breaker()].distrusted += 1
    breakers[app]?.distrust = kind
    breakers[app]?.refusedAnswer = reason
    if breakers[app]?.distrusted ?? 0 >= Self.patience { stop(app, because: kind) }
  }

  /// Stops the apps that remain unclear at the end of a sweep: the secret was refused and never accepted, or
  /// everything that arrived was rejected, however few receipts the app has.
  ///
  /// - Returns: refusals of apps whose secret is proven.
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
