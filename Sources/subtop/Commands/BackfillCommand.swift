import AppStore
import ArgumentParser
import Dashboard
import ReceiptStore
import Subscriptions
import Sweep
import Synchronization

struct BackfillCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backfill",
    abstract:
      "Fetch past App Store Server Notifications from Apple's notification history.",
    discussion: """
      Fetches for every app with a key for the Server API, in production (180 days) and the sandbox (30 days). Days that were fetched \
      before are skipped, except for the last week, in which Apple still retries. The history contains only what Apple tried to send: it is \
      empty without a URL for notifications in App Store Connect.
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Days to go back, 1 to 180. (default: 180)", valueName: "n"),
    transform: WrittenNumber.whole(1...180))
  var days = 180

  @Flag(help: "Fetch only notifications that Apple could not deliver, or has not yet.")
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
        "there is no key for the App Store Server API; name issuer_id, key_id and private_key_file in \(configuration.path)"
      )
    }
    let asked = try apps(configuration).compactMap { app -> (BundleID, ServerAPIKey)? in
      access.key(for: app).map { (app, $0) }
    }
    guard !asked.isEmpty else {
      throw Failure(
        .configuration,
        "no app with a key is known; list your apps in \(configuration.path), as [apps.\"BUNDLE ID\"]")
    }
    let running = Mutex(Running())
    let store = try LateStore(isThere: ReceiptStore.exists(options.path)) { () throws(Failure) in
      let store = try options.openForWriting(configuration)
      running.withLock { $0.store = store }
      return store
    }
    let interruption = Interruption {
      running.withLock { $0.walk }?.stop()
      running.withLock { $0.store }?.shortenBusyTimeout()
    }
    defer { interruption.repeatIfHeard() }
    for (app, key) in asked {
      var refused: Failure?
      for environment in [StoreEnvironment.production, .sandbox] {
        let walk = NotificationHistoryWalk(
          of: app, in: environment, key: key, options: settings, onlyFailures: onlyFailures)
        running.withLock { $0.walk = walk }
        do throws(Failure) {
          try Backfill(
            app: app, environment: environment, onlyFailures: onlyFailures, store: store, checks: checks
          )
          .run(walk, days: days)
        } catch {
          if interruption.number != nil {
            Standard.complain(error.message)
            interruption.repeatIfHeard()
          }
          // An app without a release is refused only in production.
          guard error.isOfKey, environment == .production else { throw refused.map { $0 } ?? error }
          refused = error
        }
      }
      if refused != nil {
        Standard.complain(
          "Apple refused \(printable(app.rawValue)) in production and answered in the sandbox, as for an app without a release"
        )
      }
    }
  }

  private struct Running {
    var walk: NotificationHistoryWalk?
    weak var store: ReceiptStore?
  }

  /// Returns the configured apps, or otherwise those of an existing store.
  private func apps(_ configuration: ConfigurationFile) throws(Failure) -> [BundleID] {
    let configured = configuration.sortedApps.map(\.key)
    guard configured.isEmpty, ReceiptStore.exists(options.path) else { return configured }
    let store = try options.open(.readOnly)
    return try withStoreFailures(store.apps())
  }
}

/// Store that is created once there is something to keep, so that a failed request leaves none behind.
private final class LateStore {
  private(set) var opened: ReceiptStore?
  private let open: () throws(Failure) -> ReceiptStore

  init(isThere: Bool, _ open: @escaping () throws(Failure) -> ReceiptStore) throws(Failure) {
    self.open = open
    if isThere { opened = try open() }
  }

  func get() throws(Failure) -> ReceiptStore {
    if let opened { return opened }
    let store = try open()
    opened = store
    return store
  }
}

private struct Backfill {
  let app: BundleID
  let environment: StoreEnvironment
  let onlyFailures: Bool
  let store: LateStore
  let checks: NotificationChecks

  /// Milliseconds in which Apple retries, so that send attempts may still change.
  private static let unsettled = 7 * Milliseconds.day

  func run(_ walk: NotificationHistoryWalk, days: Int) throws(Failure) {
    let now = SystemClock.now
    let wanted = now - min(Int64(days) * Milliseconds.day, NotificationHistoryWalk.longest(in: environment))
    let before = try withStoreFailures(
      store.opened?.backfilled(app, in: environment, onlyFailures: onlyFailures))
    var from = wanted
    if let before, before.from <= wanted + Milliseconds.day, before.until > wanted {
      from = max(wanted, before.until - Self.unsettled)
    }
    let begun = from == wanted ? wanted : before?.from ?? wanted
    let line = ProgressLine()
    var (new, refused, reason) = (0, 0, String?.none)
    var breakers = AppBreakers()
    do {
      let told = try walk.run(from: from, until: now) { items, until, isLast in
        let kept = try keep(items, at: now, believing: &breakers)
        (new, refused, reason) = (new + kept.new, refused + kept.refused, reason ?? kept.reason)
        // Notifications refused for their signer must be fetched again once that is fixed.
        if isLast, !breakers.isDoubted(app) {
          try store.get().keep(
            BackfillProgress(
              app: app, environment: environment, onlyFailures: onlyFailures, from: begun, until: until))
        }
        if line.isTerminal {
          let share = Double(until - from) / Double(max(now - from, 1))
          line.show("\(app.rawValue), \(environment.rawValue): \(CountText.of(new)) new", share: share)
        }
      }
      breakers.settle()
      try objectIfStopped(breakers)
      line.clear()
      Standard.note(
        "\(printable(app.rawValue)), \(environment.rawValue): \(CountText.of(told, "notification")) since \(from.dateText), "
          + "\(CountText.of(new)) of them new\n")
    } catch {
      line.clear()
      throw Failure(backfilling: app, in: environment, error, kept: new)
    }
    if refused > 0, let reason {
      Standard.complain("refused \(CountText.of(refused, "notification")), such as one of which \(reason)")
    }
  }

  private func objectIfStopped(_ breakers: AppBreakers) throws(Failure) {
    guard let stopped = breakers.stopped.first else { return }
    throw Failure(
      .configuration,
      Failure.untrusted(
        stopped,
        so: "none of its notifications were taken from \(environment.rawValue) and what is known is as it was"
      ))
  }

  private func keep(
    _ items: [NotificationHistoryPage.Item], at now: Instant, believing breakers: inout AppBreakers
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
      try objectIfStopped(breakers)
    }
    guard !taken.isEmpty else { return (0, reasons.count, reasons.first) }
    let store = try store.get()
    let outcomes = try store.receive(taken, at: now)
    for outcome in outcomes {
      switch outcome {
      case .refused(let reason): reasons.append(reason)
      // Progress is not stored in this case, so the next backfill fetches it again.
      case .early(let reason): throw StoreError("a notification cannot be taken: \(reason)")
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
          "it has \(CountText.of(bytes)) bytes of at most \(CountText.of(FieldLimits.signedNotification))")
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

  /// - Parameter new: Number of new notifications stored before the error.
  fileprivate init(
    backfilling app: BundleID, in environment: StoreEnvironment, _ error: any Error, kept new: Int
  ) {
    let kept = new > 0 ? "what came is kept" : "nothing new came"
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
      self.init(.failed, "\(what): a page that is not the last leads nowhere; \(kept)")
    case NotificationHistoryProblem.stopped: self.init(.failed, "\(what): interrupted; \(kept)")
    default: self.init(.failed, "\(what): \(printable("\(error)", atMost: 300))")
    }
  }
}
