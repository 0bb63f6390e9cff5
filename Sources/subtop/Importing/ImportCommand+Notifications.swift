import AppStore
import Dashboard
import Intake
import ReceiptStore
import Subscriptions
import Sweep

extension ImportCommand {
  func importNotifications() throws(Failure) {
    let configuration = try options.configuration()
    let secrets = try Secrets.load(configuration)
    let reading = reading(of: NotificationsFile.self) { kept throws(Failure) in
      try secrets.objection(to: kept, configuration)
    }
    // A pipe cannot be read twice unless it was kept, and no store is made for a bad file.
    if !reading.isOfFiles || !ReceiptStore.exists(options.path) { try judge(try reading.check()) }
    let store = try options.open(policy: configuration.duePolicy)
    var (names, refused) = ([Int: String](), BadLines())
    let summary = try paged(reading, into: store) { (pages) throws(StoreError) in
      try store.add(
        notifications: {
          guard let page = pages.next() else {
            return pages.isCutShort || (!skipInvalid && pages.bad.count > 0) ? .abandon : .end
          }
          return .notifications(
            page.map { item, place in
              names[place.file] = place.name
              return (
                item.notification,
                ImportPlace(file: place.file, line: place.line.number, range: place.line.range)
              )
            })
        }, at: SystemClock.now, leavingOutRefused: skipInvalid,
        again: { place in
          guard !pages.isCutShort else { return nil }
          return pages.attempt { () throws(Failure) in try reading.again(place.file, place.range) }
        },
        refuse: { place, reason in
          let line = LinePlace(number: place.line, range: place.range)
          refused.add(ImportedPlace(file: place.file, name: names[place.file] ?? "", line: line), reason)
        })
    }
    try judge(refused)
    let imported = CountText.of(summary.notifications - refused.count, "notification")
    let news = CountText.of(summary.newTransactions, "new transaction")
    let due = CountText.of(summary.due, "receipt")
    Standard.note(
      "imported \(imported), \(CountText.of(summary.new)) of them new: \(news), \(due) due at once\n")
  }
}

extension SharedSecrets {
  /// Why a notification is not taken: its password has to be the shared secret of its app, since anybody can send a
  /// notification, and only Apple and the app's own people know the secret.
  fileprivate func objection(
    to kept: KeptNotification, _ configuration: ConfigurationFile
  ) throws(Failure) -> String? {
    let app = kept.notification.answer.bundleID
    guard let secret = secret(for: app) else { throw noSecret(for: app, configuration) }
    let whose = app.map { printable($0.rawValue) } ?? "its app"
    guard let password = kept.password else {
      return "it has no password, which is to be the shared secret of \(whose)"
    }
    return secret.matches(password) ? nil : "its password is not the shared secret of \(whose)"
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
