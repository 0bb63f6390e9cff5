import Dashboard
import Intake
import ReceiptStore
import Subscriptions

extension ImportCommand {
  func importNotifications() throws(Failure) {
    let configuration = try options.configuration()
    let checks = try NotificationChecks(configuration)
    let reading = reading(of: NotificationsFile.self) { line throws(Failure) in
      switch try checks.judge(line.body) {
      case .taken(let notification):
        line.checked = notification
        return nil
      case .refused(let reason), .untrusted(let reason): return reason
      }
    }
    // A pipe cannot be read twice unless it was kept, and no store is made for a bad file.
    if !reading.isOfFiles || !ReceiptStore.exists(options.path) { try check(reading) }
    let store = try options.open(policy: configuration.duePolicy)
    var (names, refused) = ([Int: String](), BadLines())
    let summary = try paged(
      reading, into: store, kept: { ImportInterruption.kept(whole: $0?.isKept ?? false) }
    ) { (pages) throws(StoreError) in
      try store.add(
        notifications: {
          guard let page = pages.next() else {
            return pages.isCutShort || (!skipInvalid && pages.bad.count > 0) ? .abandon : .end
          }
          return .notifications(
            page.compactMap { line, place in
              names[place.file] = place.name
              return line.checked.map { notification in
                (
                  notification,
                  ImportPlace(file: place.file, line: place.line.number, range: place.line.range)
                )
              }
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
