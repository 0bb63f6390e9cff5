import Dashboard
import Files
import Glibc
import Listening
import ReceiptStore
import Sharing
import Subscriptions
import Sweep
import Terminal

/// Error that ends a command: a sentence for people and an exit status for scripts.
struct Failure: Error {
  /// Exit status: 1, or a code of sysexits.h.
  enum Code: Int32 {
    case failed = 1
    case usage = 64
    case badData = 65
    case noInput = 66
    case unreachable = 69
    case store = 74
    case leftForLater = 75
    case notPermitted = 77
    case configuration = 78
  }

  let code: Code
  let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message.withoutSecrets
  }

  /// Failure without a message, because the reader of standard output, such as `head`, is gone.
  static let readerGone = Failure(.failed, "")

  init(_ problem: FileProblem, reading what: String) {
    self.init(
      problem.isUnsafe ? .notPermitted : .configuration,
      problem.isUnsafe
        ? "\(what) was not read: \(problem)" : "cannot read \(what): \(problem)\(Self.remedy(problem))")
  }

  private static func remedy(_ problem: FileProblem) -> String {
    switch problem {
    case .system(_, ENOENT): "; create it, or correct the path"
    case .system(_, EACCES): "; make it readable for this user, or run this as its owner"
    default: ""
    }
  }

  /// Creates the failure for a known error; `nil` for other errors, such as ArgumentParser's.
  init?(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as StoreError:
      let codes: [StoreError.Kind: Code] = [
        .unusable: .store, .missing: .noInput, .notPermitted: .notPermitted, .misused: .usage,
        .unreachable: .unreachable, .refused: .configuration,
      ]
      self.init(codes[error.kind] ?? .store, error.description)
    case SweepError.store(let problem): self.init(.store, SweepError.store(problem).description)
    case let error as SweepError: self.init(.failed, error.description)
    case let error as AppleReportsProblem: self.init(error)
    case let error as TerminalError: self.init(.usage, error.description)
    case let error as ListenerProblem: self.init(.failed, error.description)
    case let error as PostgresError:
      let codes: [PostgresError.Kind: Code] = [
        .unreachable: .unreachable, .refused: .configuration, .misconfigured: .configuration,
        .notPermitted: .notPermitted,
      ]
      self.init(codes[error.kind] ?? .failed, error.description)
    default: return nil
    }
  }
}

extension TrustedFile {
  func bytes(at path: String, called what: String) throws(Failure) -> [UInt8] {
    do throws(FileProblem) {
      return try bytes(at: path)
    } catch {
      throw Failure(error, reading: what)
    }
  }
}

extension Failure {
  init?(_ summary: SweepSummary) {
    let later = CountText.of(summary.counts.retryLater, "receipt is", "receipts are")
    switch summary.stopped {
    case .secretRefused?, .noSecret?, .notOurs?, .keyRefused?, .noKey?, .untrusted?, .otherApp?:
      self.init(.configuration, Self.secrets(summary))
    case .unreachable?:
      let reason = summary.lastTransportError.map { " (\(printable($0, atMost: 300)))" } ?? ""
      self.init(
        .unreachable,
        "the App Store could not be reached at all\(reason); nothing was changed, try again later")
    case .unavailable?:
      let trouble =
        summary.silence.map { "the App Store asked for a pause of another \(AgeText.of($0))" }
        ?? "the App Store keeps failing"
      let left = [
        summary.counts.retryLater > 0 ? ", \(later) postponed" : "",
        summary.counts.givenBack > 0
          ? ", \(CountText.of(summary.counts.givenBack)) returned to the queue" : "",
      ].joined()
      self.init(.leftForLater, "\(trouble), so the sweep ended early; the received answers are kept\(left)")
    case .interrupted?: self.init(.failed, "the sweep was interrupted; the received answers are kept")
    case nil:
      let held = CountText.of(summary.held, "receipt is", "receipts are")
      let left = [
        summary.counts.retryLater > 0 ? "\(later) postponed" : nil,
        summary.held > 0 ? "\(held) being checked by another sweep" : nil,
      ].compactMap(\.self)
      guard !left.isEmpty else { return nil }
      self.init(.leftForLater, left.joined(separator: "; "))
    }
  }

  private static func secrets(_ summary: SweepSummary) -> String {
    let refused = names(summary, .secretRefused).map {
      "Apple refused the shared secret of \($0) (21004), so its remaining receipts were not sent, and none was changed; "
        + "check the secret in App Store Connect"
    }
    let missing = names(summary, .noSecret).map {
      "there is no shared secret for \($0), so its receipts were not sent; set \(Secrets.variable), or shared_secret_file in "
        + "the configuration file"
    }
    let foreign = names(summary, .notOurs).map {
      "the configuration does not list \($0), so its receipts were not sent; add [apps.\"BUNDLE ID\"], or a "
        + "primary secret for all apps"
    }
    let keys = summary.stoppedApps.filter { $0.reason == .keyRefused }.map(refusedKey)
    let dropped =
      "the answers were discarded without changing a customer, and the app's remaining customers were not checked"
    let untrusted = summary.stoppedApps.filter { $0.reason == .untrusted }.map {
      Self.untrusted($0, so: dropped)
    }
    let others = summary.stoppedApps.filter { $0.reason == .otherApp }.map { ofOtherApp($0, so: dropped) }
    let keyless = names(summary, .noKey, where: { $0.bundleID != nil }).map {
      "there is no App Store Server API key for \($0), so its customers were not checked; set issuer_id, key_id "
        + "and private_key_file in the configuration file"
    }
    // A token is for one app, so a key is useless if the app is unknown.
    let nameless = names(summary, .noKey, where: { $0.bundleID == nil }).map { _ in
      "the app of some ids is unknown, so they were not checked; import them again with a column bundle_id or with --bundle, "
        + "or, for a single app, add its key and a table [apps.\"BUNDLE ID\"] to the configuration file"
    }
    let named = (keys + untrusted + others).map(Optional.some)
    return ([refused, missing, foreign] + named + [keyless, nameless])
      .compactMap(\.self).joined(separator: "; and ")
  }

  static func untrusted(_ app: StoppedApp, so consequence: String) -> String {
    "the App Store Server API's answers for \(name(app)) have no trusted signature\(refusal(of: app)), so "
      + "\(consequence). Possible causes, the likeliest first: (1) server_api_url or server_api_sandbox_url is not Apple's, "
      + "(2) root_certificate_file is not the root certificate of that server (without it Apple's is trusted), (3) a proxy in "
      + "between changes or truncates answers"
  }

  private static func ofOtherApp(_ app: StoppedApp, so consequence: String) -> String {
    "the App Store Server API's answers for \(name(app)) are about another app\(refusal(of: app)), so \(consequence); check in the "
      + "configuration file that the bundle id, the key and server_api_url belong together; if the ids were imported for the wrong app, "
      + "import them again with --bundle"
  }

  private static func refusal(of app: StoppedApp) -> String {
    app.refusal.map { " (\(printable($0, atMost: 300)))" } ?? ""
  }

  /// Describes the possible causes of a refused key, because HTTP 401 names none.
  static func refusedKey(_ app: StoppedApp) -> String {
    let key =
      app.refusedKey.map { "the Server API key \(printable($0.keyID))" } ?? "the Server API key"
    let clock = clock(ahead: app.refusedKey?.clockAheadMs)
    return
      "Apple refused \(key) for \(name(app)) (HTTP 401) in production and in the sandbox, so no customer of the app was changed; \(clock); "
      + "check that issuer_id, key_id and private_key_file belong to one In-App Purchase key in App Store Connect, and that "
      + "the bundle id is right; for an app that was never released, Apple refuses production and answers only in the sandbox"
  }

  private static func clock(ahead: Int64?) -> String {
    switch ahead {
    case let ahead? where ahead >= 30_000:
      "this machine's clock is \(AgeText.of(ahead)) ahead of Apple's, which alone explains the refusal: set the clock"
    case let ahead? where ahead <= -30_000: "this machine's clock is \(AgeText.of(-ahead)) behind Apple's"
    case .some: "this machine's clock agrees with Apple's"
    case nil: "Apple sent no time"
    }
  }

  private init(_ problem: AppleReportsProblem) {
    let key = "the App Store Connect key for reports"
    switch problem {
    case .keyRefused(let ahead):
      self.init(
        .configuration,
        "Apple refused \(key) (HTTP 401): \(Self.clock(ahead: ahead)); check that reports_issuer_id, reports_key_id and "
          + "reports_private_key_file belong to one team key (Users and Access, Integrations, App Store Connect API), not to "
          + "an In-App Purchase key")
    case .notPermitted(let reason):
      self.init(
        .configuration,
        "\(key) may not download reports (HTTP 403, \(printable(reason, atMost: 300))); use a team key of App Store Connect with "
          + "the role \"Finance\", \"Sales and Reports\" or \"Admin\"")
    case .refused(let reason):
      self.init(
        .configuration,
        "Apple refused the request: \(printable(reason, atMost: 300)); check vendor_number and reports_url")
    case .usedUp:
      self.init(
        .leftForLater,
        "\(key) has nearly used up its requests for this hour; run the command again in an hour to continue")
    case .failed(let reason, let isUnreachable):
      self.init(
        isUnreachable ? .unreachable : .leftForLater,
        "App Store Connect does not answer (\(printable(reason, atMost: 300))); try again later")
    }
  }

  private static func name(_ app: StoppedApp) -> String {
    app.bundleID.map { printable($0.rawValue) } ?? "an unknown app"
  }

  private static func names(
    _ summary: SweepSummary, _ reason: StoppedApp.Reason, where isMeant: (StoppedApp) -> Bool = { _ in true }
  ) -> String? {
    let names = summary.stoppedApps.filter { $0.reason == reason && isMeant($0) }.map { app in
      app.bundleID.map { printable($0.rawValue) } ?? "receipts of an unknown app"
    }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }
}
