import AppStore
import ArgumentParser
import Dashboard
import ReceiptStore
import Subscriptions
import Sweep

struct BackfillCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backfill",
    abstract:
      "Fetch past App Store Server Notifications from Apple's notification history.",
    discussion: """
      Fetches the history of every app with a Server API key: up to 180 days in production, and up to 30 days in the sandbox. Days that \
      were fetched before are skipped, except those of the last week, because Apple may still retry their notifications. \
      The history contains only what Apple tried to send. It is empty if no URL for notifications is set in App Store Connect.
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Days to go back, 1 to 180. (default: 180)", valueName: "n"),
    transform: WrittenNumber.whole(1...180))
  var days = 180

  @Flag(help: "Fetch only notifications that Apple has not delivered (failed, or still being retried).")
  var onlyFailures = false

  @OptionGroup var appStore: AppStoreOptions
  @OptionGroup var options: StoreOptions

  func run() throws {
    let configuration = try options.configuration()
    let settings = try appStore.sweepOptions(configuration)
    let checks = try NotificationChecks(configuration)
    guard let access = try ServerAPIKeys.load(configuration) else {
      throw Failure(
        .configuration,
        "there is no App Store Server API key; set issuer_id, key_id and private_key_file in \(configuration.path)"
      )
    }
    let asked = try apps(configuration).compactMap { app -> (BundleID, ServerAPIKey)? in
      access.key(for: app).map { (app, $0) }
    }
    guard !asked.isEmpty else {
      throw Failure(
        .configuration,
        "no known app has a Server API key; list your apps in \(configuration.path), as [apps.\"BUNDLE ID\"]")
    }
    let backfill = Backfill(onlyFailures: onlyFailures, checks: checks) {
      try options.openForWriting(configuration)
    }
    if ReceiptStore.exists(options.path) { _ = try backfill.opened() }
    let interruption = Interruption.ending(
      saying: "the backfill was interrupted; what was fetched is kept")
    defer { interruption.end() }
    for (app, key) in asked {
      var refused: Failure?
      for environment in [StoreEnvironment.production, .sandbox] {
        let walk = NotificationHistoryWalk(
          of: app, in: environment, key: key, options: settings, onlyFailures: onlyFailures)
        do {
          try backfill.run(walk, of: app, in: environment, days: days)
        } catch let error as Failure where error.isOfKey && environment == .production {
          // An app that was never released is refused only in production.
          refused = error
        } catch {
          throw refused.map { $0 as any Error } ?? error
        }
      }
      if refused != nil {
        Standard.complain(
          "Apple refused the key of \(printable(app.rawValue)) in production and accepted it in the sandbox, as it does for an app that was never released"
        )
      }
    }
  }

  private func apps(_ configuration: ConfigurationFile) throws -> [BundleID] {
    let configured = configuration.sortedApps.map(\.key)
    guard configured.isEmpty, ReceiptStore.exists(options.path) else { return configured }
    let store = try options.open(.readOnly)
    return try store.apps()
  }
}

/// Stores notification histories; a missing store is created only once there is something to store.
private final class Backfill {
  private let onlyFailures: Bool
  private let checks: NotificationChecks
  private let open: () throws -> ReceiptStore
  private var store: ReceiptStore?

  init(
    onlyFailures: Bool, checks: NotificationChecks, _ open: @escaping () throws -> ReceiptStore
  ) {
    (self.onlyFailures, self.checks, self.open) = (onlyFailures, checks, open)
  }

  func opened() throws -> ReceiptStore {
    if let store { return store }
    let store = try open()
    self.store = store
    return store
  }

  /// Milliseconds during which Apple may retry a notification, so that its send attempts can still change.
  private static let unsettled = 7 * Milliseconds.day

  func run(
    _ walk: NotificationHistoryWalk, of app: BundleID, in environment: StoreEnvironment, days: Int
  ) throws {
    let now = SystemClock.now
    let wanted = now - min(Int64(days) * Milliseconds.day, NotificationHistoryWalk.longest(in: environment))
    let before = try store?.backfilled(app, in: environment, onlyFailures: onlyFailures)
    var from = wanted
    if let before, before.from <= wanted + Milliseconds.day, before.until > wanted {
      from = max(wanted, before.until - Self.unsettled)
    }
    let begun = from == wanted ? wanted : before?.from ?? wanted
    let line = ProgressLine()
    var (new, refused, reason) = (0, 0, String?.none)
    var breakers = AppBreakers()
    do {
      let count = try walk.run(from: from, until: now) { items, until, isLast in
        let kept = try keep(items, of: app, in: environment, at: now, believing: &breakers)
        (new, refused, reason) = (new + kept.new, refused + kept.refused, reason ?? kept.reason)
        // Notifications refused for their signer must be fetched again once the cause is fixed.
        if isLast, !breakers.isDoubted(app) {
          try opened().keep(
            BackfillProgress(
              app: app, environment: environment, onlyFailures: onlyFailures, from: begun, until: until))
        }
        if line.isTerminal {
          let share = Double(until - from) / Double(max(now - from, 1))
          line.show("\(app.rawValue), \(environment.rawValue): \(CountText.of(new)) new", share: share)
        }
      }
      breakers.settle()
      try objectIfStopped(breakers, in: environment)
      line.clear()
      Standard.note(
        "\(printable(app.rawValue)), \(environment.rawValue): \(CountText.of(count, "notification")) since \(from.dateText), "
          + "\(CountText.of(new)) of them new\n")
    } catch {
      line.clear()
      throw Failure(backfilling: app, in: environment, error, kept: new)
    }
    if refused > 0, let reason {
      Standard.complain("rejected \(CountText.of(refused, "notification")); the first because \(reason)")
    }
  }

  private func objectIfStopped(
    _ breakers: AppBreakers, in environment: StoreEnvironment
  ) throws {
    guard let stopped = breakers.stopped.first else { return }
    throw Failure(
      .configuration,
      Failure.untrusted(
        stopped,
        so: "none of its notifications from \(environment.rawValue) were stored, and nothing was changed"
      ))
  }

  private func keep(
    _ items: [NotificationHistoryPage.Item], of app: BundleID, in environment: StoreEnvironment,
    at now: Instant, believing breakers: inout AppBreakers
  ) throws -> (new: Int, refused: Int, reason: String?) {
    var taken: [ReceivedNotification] = []
    var attempts: [(uuid: String, attempts: [SendAttempt])] = []
    var reasons: [String] = []
    for item in items {
      switch try verdict(on: item) {
      case .taken(let notification):
        breakers.accept(app, isSigned: true)
        taken.append(notification)
        if case .signed(let signed) = notification { attempts.append((signed.uuid, item.sendAttempts)) }
      case .refused(let reason): reasons.append(reason)
      case .untrusted(let reason):
        breakers.fail(StoppedApp(bundleID: app, reason: .untrusted, refusal: reason))
        reasons.append(reason)
      }
      try objectIfStopped(breakers, in: environment)
    }
    guard !taken.isEmpty else { return (0, reasons.count, reasons.first) }
    let store = try opened()
    let outcomes = try store.receive(taken, at: now)
    for outcome in outcomes {
      switch outcome {
      case .refused(let reason): reasons.append(reason)
      // Progress is not stored in this case, so the next backfill fetches the notification again.
      case .early(let reason): throw StoreError("a notification cannot be stored: \(reason)")
      case .kept, .replayed: break
      }
    }
    try store.keep(sendAttempts: attempts)
    return (outcomes.count { $0 == .kept }, reasons.count, reasons.first)
  }

  private func verdict(on item: NotificationHistoryPage.Item) throws -> NotificationChecks.Verdict {
    let body: NotificationBody
    do {
      body = try NotificationBody(decoding: Array(item.signedPayload.utf8))
    } catch {
      let bytes = item.signedPayload.utf8.count
      if bytes > FieldLimits.signedNotification {
        return .refused(
          "it has \(CountText.of(bytes)) bytes; the limit is \(CountText.of(FieldLimits.signedNotification))")
      }
      // Apple's history lists only signed notifications, so this one was changed or cut in transit.
      return .untrusted("\(SignedDataProblem.notSigned)")
    }
    return try checks.judge(body)
  }
}

extension NotificationHistoryPage.Item {
  fileprivate var sendAttempts: [SendAttempt] {
    attempts.compactMap { attempt in
      guard let at = attempt.attemptDate, let result = attempt.sendAttemptResult, result.utf8.count <= 64
      else {
        return nil
      }
      return SendAttempt(atMs: Instant(milliseconds: at), result: printable(result))
    }
  }
}

extension Failure {
  fileprivate var isOfKey: Bool { message.contains("HTTP 401") }

  fileprivate init(
    backfilling app: BundleID, in environment: StoreEnvironment, _ error: any Error, kept new: Int
  ) {
    let kept = new > 0 ? "what was fetched is kept" : "nothing new was fetched"
    let what =
      "cannot fetch the notification history of \(printable(app.rawValue)) from \(environment.rawValue)"
    switch error {
    case let error as Failure: self = error
    case let error as StoreError: self.init(.store, "\(error)")
    case NotificationHistoryProblem.keyRefused(let key):
      let stopped = StoppedApp(bundleID: app, reason: .keyRefused, refusedKey: key)
      self.init(.configuration, Failure.refusedKey(stopped))
    case NotificationHistoryProblem.refused(let error): self.init(.failed, "\(what): Apple says \(error)")
    case NotificationHistoryProblem.unreachable(let text):
      self.init(.unreachable, "\(what): \(printable(text, atMost: 300)); try again later")
    case NotificationHistoryProblem.unavailable(let text):
      self.init(
        .leftForLater, "\(what): \(printable(text, atMost: 300)); \(kept), try again later")
    case NotificationHistoryProblem.endless:
      self.init(.failed, "\(what): Apple announced a next page that is missing or repeated; \(kept)")
    default: self.init(.failed, "\(what): \(printable("\(error)", atMost: 300))")
    }
  }
}
