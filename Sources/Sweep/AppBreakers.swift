import Subscriptions

/// Stops the requests of an app that all fail for one reason: Apple refuses its shared secret or key, or the
/// answers lack a trusted signature or are about another app.
///
/// A single refusal among valid answers is about that receipt; several in a row are about the app.
package struct AppBreakers: Sendable {
  private struct Breaker: Sendable {
    var stopped: StoppedApp?
    var doubts: [StoppedApp] = []
    var isProven = false
    var isTrusted = false
    var inFlight = 0

    var refusals: Int { doubts.count(where: \.reason.isRefusal) }
  }

  /// Failures in a row that stop an app, and its requests in flight until its secret or key is proven.
  package static let patience = 3

  private var breakers: [BundleID?: Breaker] = [:]

  package init() {}

  package var stopped: [StoppedApp] {
    breakers.values.compactMap(\.stopped).sorted {
      ($0.bundleID?.rawValue ?? "") < ($1.bundleID?.rawValue ?? "")
    }
  }

  package func isStopped(_ app: BundleID?) -> Bool { breakers[app]?.stopped != nil }

  /// Whether the app has failures that may be about the app or about single receipts.
  package func isDoubted(_ app: BundleID?) -> Bool { breakers[app]?.doubts.isEmpty == false }

  /// Whether the app has refusals that may be about its secret or key, or about single receipts.
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

  /// Records an answer with data. Earlier refusals are then about their own receipts. An app with signed data
  /// can then be stopped only by refusals of its secret or key.
  package mutating func accept(_ app: BundleID?, isSigned: Bool) {
    var breaker = breakers[app] ?? Breaker()
    breaker.isProven = true
    breaker.isTrusted = breaker.isTrusted || isSigned
    breaker.doubts.removeAll { $0.reason.isRefusal || isSigned }
    breakers[app] = breaker
  }

  /// Records a 21004, a 401, or an answer that is untrusted or about another app. The app is stopped after
  /// several in a row.
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

  /// Stops the apps that remain unclear at the end of a sweep: the secret was refused and never accepted, or
  /// everything that arrived was rejected, however few receipts the app has.
  package mutating func settle() {
    for (app, breaker) in breakers where breaker.stopped == nil {
      breakers[app]?.stopped = breaker.doubts.last { !$0.reason.isRefusal || !breaker.isProven }
      breakers[app]?.doubts = []
    }
  }
}

extension StoppedApp.Reason {
  /// Whether Apple refused the secret or key, rather than that its answer was rejected here.
  fileprivate var isRefusal: Bool { self == .secretRefused || self == .keyRefused }
}
