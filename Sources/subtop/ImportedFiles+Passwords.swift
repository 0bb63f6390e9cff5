import AppStore
import Subscriptions
import Sweep

extension ImportedFiles<KeptNotification> {
  /// The notifications whose password is the shared secret of their app: anybody can send a notification, and only Apple and
  /// the app's own people know the secret.
  func vouched(
    by secrets: SharedSecrets, _ configuration: ConfigurationFile
  ) throws(Failure) -> ImportedFiles<ImportedNotification> {
    try checked { kept throws(Failure) in
      let app = kept.notification.answer.bundleID
      guard let secret = secrets.secret(for: app) else { throw noSecret(for: app, configuration) }
      let whose = app.map { printable($0.rawValue) } ?? "its app"
      guard let password = kept.password else {
        return .bad(reason: "it has no password, which is to be the shared secret of \(whose)")
      }
      return secret.matches(password)
        ? .good(kept.notification) : .bad(reason: "its password is not the shared secret of \(whose)")
    }
  }

  private func noSecret(for app: BundleID?, _ configuration: ConfigurationFile) -> Failure {
    let whose = app.map { printable($0.rawValue) }
    let table = whose.map { "[apps.\"\($0)\"]" } ?? "[apps.\"<its bundle id>\"]"
    return Failure(
      .configuration,
      "the passwords of notifications for \(whose ?? "an app that they do not name") cannot be checked without its shared "
        + "secret; set \(Secrets.variable), or name it under \(table) in \(configuration.path)")
  }
}
