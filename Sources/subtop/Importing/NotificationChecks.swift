import AppStore
import Subscriptions
import Sweep

/// Verifies notifications, because anyone can send them: version 1 by secret, version 2 by signature.
struct NotificationChecks: Sendable {
  private let configuration: ConfigurationFile
  private let secrets: SharedSecrets
  private let verifier: SignatureVerifier
  private let apps: OwnApps

  init(_ configuration: ConfigurationFile) throws(Failure) {
    self.configuration = configuration
    secrets = try Secrets.load(configuration)
    verifier = try configuration.signatureVerifier()
    apps = configuration.ownApps
  }

  enum Verdict: Sendable {
    case taken(ReceivedNotification)
    case refused(String)
    case untrusted(String)
  }

  /// Verifies a notification; throws an error if the shared secret to check it is missing.
  func judge(_ body: NotificationBody) throws(Failure) -> Verdict {
    switch body {
    case .version1(let kept):
      do throws(SignedDataProblem) {
        try apps.checkListed(kept.notification.answer.bundleID)
      } catch {
        return .refused(printable("\(error)", atMost: 400))
      }
      if let reason = try objection(to: kept) { return .refused(reason) }
      return .taken(.ofVersion1(kept.notification))
    case .version2(let kept):
      do throws(SignedDataProblem) {
        return .taken(.signed(try kept.verified(by: verifier, for: apps)))
      } catch {
        let reason = printable("\(error)", atMost: 400)
        return error.isOfUntrustedSigner ? .untrusted(reason) : .refused(reason)
      }
    }
  }

  /// Returns the verdict for a listener; throws if a listed app's secret is missing, so that Apple retries.
  func judgeReceived(_ body: NotificationBody) throws(Failure) -> Verdict {
    guard case .version1(let kept) = body else { return try judge(body) }
    let app = kept.notification.answer.bundleID
    let isListed = (try? apps.checkListed(app)) != nil
    guard isListed, secrets.secret(for: app) == nil else { return try judge(body) }
    // If no app is configured, the name is omitted: the sender chooses it, and each new name would be logged.
    throw noSecret(for: configuration.apps.isEmpty ? nil : app)
  }

  private func objection(to kept: KeptNotification) throws(Failure) -> String? {
    let app = kept.notification.answer.bundleID
    guard let secret = secrets.secret(for: app) else { throw noSecret(for: app) }
    let whose = app.map { printable($0.rawValue) } ?? "its app"
    guard let password = kept.password else {
      return "it has no password, which must be the shared secret of \(whose)"
    }
    return secret.matches(password) ? nil : "its password is not the shared secret of \(whose)"
  }

  private func noSecret(for app: BundleID?) -> Failure {
    let whose = app.map { printable($0.rawValue) }
    let table = whose.map { "[apps.\"\($0)\"]" } ?? "[apps.\"<its bundle id>\"]"
    return Failure(
      .configuration,
      "cannot check the passwords of notifications for \(whose ?? "an unknown app"): its shared secret "
        + "is missing; set \(Secrets.variable), or configure it under \(table) in \(configuration.path)")
  }
}
