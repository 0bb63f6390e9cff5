import Dashboard
import Files
import Glibc
import Listening
import ReceiptStore
import Subscriptions
import Sweep
import Terminal

/// Error that ends a command: a sentence for people and an exit status for scripts.
struct Failure: Error {
  /// Exit status, as in sysexits.h.
  enum Code: Int32, CaseIterable {
    case failed = 1
    case usage = 64
    case badData = 65
    case noInput = 66
    case unreachable = 69
    case store = 74
    case leftForLater = 75
    case notPermitted = 77
    case configuration = 78

    var meaning: String {
      switch self {
      case .failed: "Another failure, or status --alerts found a raised alert."
      case .usage: "Wrong usage."
      case .badData: "Invalid input data."
      case .noInput: "Input not found."
      case .unreachable: "The App Store could not be reached."
      case .store: "The store could not be read or written."
      case .leftForLater: "Some receipts were postponed."
      case .notPermitted: "Not permitted: other users could change or read a file."
      case .configuration:
        "Invalid configuration, no shared secret or key, Apple refused it (21004, 401), or answers without a trusted signature or about another app."
      }
    }
  }

  let code: Code
  let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message.withoutSecrets
  }

  /// The reader of standard output, such as `head`, is gone, so there is no message.
  static let readerGone = Failure(.failed, "")

  init(_ problem: FileProblem, reading what: String) {
    self.init(
      problem.isUnsafe ? .notPermitted : .configuration,
      problem.isUnsafe
        ? "\(what) is not read: \(problem)" : "cannot read \(what): \(problem)\(Self.remedy(problem))")
  }

  private static func remedy(_ problem: FileProblem) -> String {
    switch problem {
    case .system(_, ENOENT): "; put it there, or give the path at which it is"
    case .system(_, EACCES): "; have whoever owns it let this user read it, or run this as that user"
    default: ""
    }
  }

  /// Creates the failure for an error of a part of the program; `nil` for one of ArgumentParser.
  init?(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as StoreError:
      let codes: [StoreError.Kind: Code] = [
        .unusable: .store, .missing: .noInput, .notPermitted: .notPermitted, .misused: .usage,
      ]
      self.init(codes[error.kind] ?? .store, error.description)
    case SweepError.store(let problem): self.init(.store, SweepError.store(problem).description)
    case let error as SweepError: self.init(.failed, error.description)
    case let error as TerminalError: self.init(.usage, error.description)
    case let error as ListenerProblem: self.init(.failed, error.description)
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
        summary.silence.map { "the App Store asked to be left alone for another \(AgeText.of($0))" }
        ?? "the App Store is failing"
      self.init(
        .leftForLater,
        "\(trouble), so the sweep ended early; what was answered is kept, \(later) left "
          + "for a later try and \(CountText.of(summary.counts.givenBack)) untouched")
    case .interrupted?: self.init(.failed, "the sweep was interrupted; what was answered is kept")
    case nil:
      let held = CountText.of(summary.held, "receipt is", "receipts are")
      let left = [
        summary.counts.retryLater > 0 ? "\(later) left for a later try" : nil,
        summary.held > 0 ? "\(held) left to another sweep that is at work" : nil,
      ].compactMap(\.self)
      guard !left.isEmpty else { return nil }
      self.init(.leftForLater, left.joined(separator: "; "))
    }
  }

  private static func secrets(_ summary: SweepSummary) -> String {
    let refused = names(summary, .secretRefused).map {
      "Apple refused the shared secret of \($0) (21004), so no more of its receipts were sent and they are as they were; "
        + "check the secret in App Store Connect"
    }
    let missing = names(summary, .noSecret).map {
      "there is no shared secret for \($0), so its receipts were not sent; set \(Secrets.variable), or name the secret in "
        + "the configuration file"
    }
    let foreign = names(summary, .notOurs).map {
      "the configuration lists other apps than \($0), so its receipts were not sent; add [apps.\"BUNDLE ID\"], or a "
        + "primary secret for every app"
    }
    let keys = summary.stoppedApps.filter { $0.reason == .keyRefused }.map(refusedKey)
    let dropped = "they were dropped and no more of its customers were asked about, who are all as they were"
    let untrusted = summary.stoppedApps.filter { $0.reason == .untrusted }.map {
      Self.untrusted($0, so: dropped)
    }
    let others = summary.stoppedApps.filter { $0.reason == .otherApp }.map { ofOtherApp($0, so: dropped) }
    let keyless = names(summary, .noKey, where: { $0.bundleID != nil }).map {
      "there is no key for the App Store Server API for \($0), so its customers were not asked about; name issuer_id, key_id "
        + "and private_key_file in the configuration file"
    }
    // A token is for one app, so a key is useless if the app is unknown.
    let nameless = names(summary, .noKey, where: { $0.bundleID == nil }).map { _ in
      "of some ids it is not known which app they are of, so Apple was not asked about them; import them again with a column bundle_id "
        + "or with --bundle, or have a key and a table [apps.\"BUNDLE ID\"] for the one app there is in the configuration file"
    }
    let named = (keys + untrusted + others).map(Optional.some)
    return ([refused, missing, foreign] + named + [keyless, nameless])
      .compactMap(\.self).joined(separator: "; and ")
  }

  static func untrusted(_ app: StoppedApp, so consequence: String) -> String {
    "the App Store Server API's answers for \(name(app)) are not signed by anyone trusted\(refusal(of: app)), so "
      + "\(consequence); the causes, the likeliest first: (1) server_api_url or server_api_sandbox_url leads to something else than Apple, "
      + "(2) root_certificate_file is not the root certificate of what answers there (without it Apple's is trusted), (3) a proxy in "
      + "between changes answers or cuts them"
  }

  private static func ofOtherApp(_ app: StoppedApp, so consequence: String) -> String {
    "the App Store Server API's answers for \(name(app)) are of another app\(refusal(of: app)), so \(consequence); check in the "
      + "configuration file that the bundle id, the key and server_api_url belong together, and that the ids were imported for the app "
      + "that they are of: import them again with --bundle"
  }

  private static func refusal(of app: StoppedApp) -> String {
    app.refusal.map { " (\(printable($0, atMost: 300)))" } ?? ""
  }

  /// Describes the possible causes of a refused key, since a 401 names none.
  static func refusedKey(_ app: StoppedApp) -> String {
    let key =
      app.refusedKey.map { "the key \(printable($0.keyID)) of the Server API" } ?? "the Server API's key"
    let clock =
      switch app.refusedKey?.clockAheadMs {
      case let ahead? where ahead >= 30_000:
        "this machine's clock is \(AgeText.of(ahead)) ahead of Apple's, which alone is reason enough: set the clock"
      case let ahead? where ahead <= -30_000: "this machine's clock is \(AgeText.of(-ahead)) behind Apple's"
      case .some: "this machine's clock agrees with Apple's"
      case nil: "Apple did not tell its time"
      }
    return
      "Apple refused \(key) for \(name(app)) (HTTP 401) in production and in the sandbox, so its customers are as they were: \(clock); "
      + "check that issuer_id, key_id and private_key_file are those of one In-App Purchase key in App Store Connect, and that "
      + "the bundle id is right; an app without a release in production is refused there and answered in the sandbox alone"
  }

  private static func name(_ app: StoppedApp) -> String {
    app.bundleID.map { printable($0.rawValue) } ?? "an app that is not known"
  }

  private static func names(
    _ summary: SweepSummary, _ reason: StoppedApp.Reason, where isMeant: (StoppedApp) -> Bool = { _ in true }
  ) -> String? {
    let names = summary.stoppedApps.filter { $0.reason == reason && isMeant($0) }.map { app in
      app.bundleID.map { printable($0.rawValue) } ?? "receipts whose app is not known yet"
    }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }
}
