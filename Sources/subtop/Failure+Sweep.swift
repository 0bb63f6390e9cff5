import Dashboard
import Subscriptions
import Sweep

extension Failure {
  init(_ error: SweepError) {
    switch error {
    case .store: self.init(.store, error.description)
    case .transport: self.init(.failed, error.description)
    }
  }

  /// What a sweep that ended badly means for a script; nil where it is done.
  init?(_ summary: SweepSummary) {
    let later = CountText.of(summary.counts.retryLater, "receipt is", "receipts are")
    switch summary.stopped {
    case .secretRefused?, .noSecret?, .notOurs?:
      self.init(.configuration, Self.secrets(summary))
    case .unreachable?:
      let reason = summary.lastTransportError.map { " (\(printable($0, atMost: 300)))" } ?? ""
      self.init(
        .unreachable,
        "the App Store could not be reached at all\(reason); nothing was changed, try again later")
    case .unavailable?:
      self.init(
        .leftForLater,
        "\(Self.trouble(summary)), so the sweep ended early; what was answered is kept, \(later) left "
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

  private static func trouble(_ summary: SweepSummary) -> String {
    summary.silence.map { "the App Store asked to be left alone for another \(AgeText.of($0))" }
      ?? "the App Store is failing"
  }

  /// Of every app whose receipts were not sent, whichever it was for.
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
    return [refused, missing, foreign].compactMap(\.self).joined(separator: "; and ")
  }

  /// Nil where no app was stopped for it.
  private static func names(_ summary: SweepSummary, _ reason: StoppedApp.Reason) -> String? {
    let names = summary.stoppedApps.filter { $0.reason == reason }.map { app in
      app.bundleID.map { printable($0.rawValue) } ?? "receipts whose app is not known yet"
    }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }
}
