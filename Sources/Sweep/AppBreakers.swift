import Subscriptions

/// Stops the requests of an app if they keep failing for one reason: Apple refuses the app's shared secret or
/// key, or the answers lack a trusted signature or are about another app.
///
/// A single refusal among valid answers concerns one receipt; several in a row concern the app.
package struct AppBreakers: Sendable {
  private struct Breaker: Sendable {
    var stopped: StoppedApp?
    var doubts: [StoppedApp] = []
    var isProven = false
    var isTrusted = false
    var inFlight = 0

    var refusals: Int { doubts.count(where: \.reason.isRefusal) }
  }

  /// Number of consecutive failures that stop an app.
  ///
  /// Until Apple accepts the app's secret or key, also the limit for requests in flight plus refusals.
  package static let patience = 3

  private var breakers: [BundleID?: Breaker] = [:]

  package init() {}

  package var stopped: [StoppedApp] {
    breakers.values.compactMap(\.stopped).sorted {
      ($0.bundleID?.rawValue ?? "") < ($1.bundleID?.rawValue ?? "")
    }
  }

  package func isStopped(_ app: BundleID?) -> Bool { breakers[app]?.stopped != nil }

  /// Whether the app has failures that may concern either the app or single receipts.
  package func isDoubted(_ app: BundleID?) -> Bool { breakers[app]?.doubts.isEmpty == false }

  /// Whether Apple refused requests of the app and accepted none since; its secret or key may be wrong.
  func isRefused(_ app: BundleID?) -> Bool { breakers[app].map { $0.refusals > 0 } ?? false }

  func mayBegin(_ app: BundleID?) -> Bool {
    guard let breaker = breakers[app] else { return true }
    return breaker.stopped == nil
      && (breaker.isProven || breaker.inFlight + breaker.refusals < Self.patience)
  }

  mutating func begin(_ app: BundleID?) { breakers[app, default: Breaker()].inFlight += 1 }
  mutating func land(_ app: BundleID?) { breakers[app, default: Breaker()].inFlight -= 1 }

  mutating func stop(_ app: BundleID?, because reason: StoppedApp.Reason) {
    let stopped = breakers[app]?.stopped ?? StoppedApp(bundleID: app, reason: reason)
    breakers[app, default: Breaker()].stopped = stopped
  }

  /// Records an answer with data, and removes the doubts that it disproves.
  ///
  /// The answer shows that earlier refusals concerned single receipts. Once signed data was accepted, only
  /// refusals can stop the app.
  package mutating func accept(_ app: BundleID?, isSigned: Bool) {
    var breaker = breakers[app] ?? Breaker()
    breaker.isProven = true
    breaker.isTrusted = breaker.isTrusted || isSigned
    breaker.doubts.removeAll { $0.reason.isRefusal || isSigned }
    breakers[app] = breaker
  }

  /// Records a 21004, a 401, an untrusted answer or another app's answer; `patience` in a row stop the app.
  package mutating func fail(_ doubt: StoppedApp) {
    var breaker = breakers[doubt.bundleID] ?? Breaker()
    let isRefusal = doubt.reason.isRefusal
    guard breaker.stopped == nil, isRefusal || !breaker.isTrusted else { return }
    breaker.doubts.append(doubt)
    if breaker.doubts.count(where: { $0.reason.isRefusal == isRefusal }) >= Self.patience {
      breaker.stopped = doubt
    }
    breakers[doubt.bundleID] = breaker
  }

  /// Stops the apps that are still in doubt at the end of a sweep: Apple refused the secret or key and never
  /// accepted it, or this program rejected answers and accepted no signed answer.
  package mutating func settle() {
    for (app, breaker) in breakers where breaker.stopped == nil {
      breakers[app]?.stopped = breaker.doubts.last { !$0.reason.isRefusal || !breaker.isProven }
      breakers[app]?.doubts = []
    }
  }
}

extension StoppedApp.Reason {
  fileprivate var isRefusal: Bool { self == .secretRefused || self == .keyRefused }
}
