import Subscriptions

/// Rate limits of the Server API for each app and address: *App Store Server API › Identifying rate limits*.
package struct RequestLimits: Sendable {
  package struct Subject: Hashable {
    package var app: BundleID
    package var kind: ServerAPICall.Kind
    package var environment: StoreEnvironment

    package init(app: BundleID, kind: ServerAPICall.Kind, environment: StoreEnvironment) {
      (self.app, self.kind, self.environment) = (app, kind, environment)
    }
  }

  private let production: Double?
  private let sandbox: Double?
  private var allowances: [Subject: RequestAllowance] = [:]

  package init(production: Double?, sandbox: Double?) {
    (self.production, self.sandbox) = (production, sandbox)
  }

  /// Returns when a request may begin; `nil` for now.
  package func wait(for subject: Subject, at now: Int64) -> Int64? {
    var allowance = allowances[subject] ?? fresh(subject)
    return allowance?.take(at: now)
  }

  package mutating func begin(_ subject: Subject, at now: Int64) {
    var allowance = allowances[subject] ?? fresh(subject)
    _ = allowance?.take(at: now)
    allowances[subject] = allowance
  }

  private func fresh(_ subject: Subject) -> RequestAllowance? {
    (subject.environment == .sandbox ? sandbox : production).map { RequestAllowance(perSecond: $0) }
  }
}
