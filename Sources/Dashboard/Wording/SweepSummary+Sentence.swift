import Screen
import Subscriptions

extension SweepSummary {
  /// What it came to, for a toast and above the printed figures.
  var inOneSentence: (text: String, level: Toast.Level) {
    switch stopped {
    case .secretRefused?, .noSecret?, .notOurs?, .keyRefused?, .noKey?:
      ("\(stoppedApps.sentence(or: stopped)) \(theRest)", .bad)
    case .unreachable?: ("Sweep stopped: the App Store could not be reached. Nothing was changed.", .bad)
    case .unavailable?:
      (
        "Sweep stopped after \(CountText.of(counts.done, "receipt")): the App Store "
          + (silence.map { "asked to be left alone for another \(AgeText.of($0))" } ?? "is in trouble")
          + ". The rest is as it was, and stays due.", .warn
      )
    case .interrupted?: ("Sweep stopped after \(CountText.of(counts.done, "receipt")): \(outcome).", .info)
    case nil where counts.picked == 0 && held > 0:
      ("Another sweep is at work on \(CountText.of(held, "receipt")); nothing else was left to sweep.", .info)
    case nil where counts.picked == 0: ("There was nothing to sweep.", .info)
    case nil:
      (
        "Swept \(CountText.of(counts.done, "receipt")) in \(AgeText.of(elapsed)): \(outcome).",
        counts.retryLater + counts.rejected > 0 ? .warn : .good
      )
    }
  }

  /// What became of the apps that were not stopped.
  private var theRest: String {
    guard counts.done > 0 else { return "Nothing was changed." }
    let swept = doneBesides ?? "\(CountText.of(counts.done, "receipt")) before that"
    return "Swept \(swept): \(outcome)."
  }

  /// `2,412 receipts of other apps`; nil where all that it was through with are of apps that were stopped afterwards.
  var doneBesides: String? {
    let receipts = CountText.of(counts.done, "receipt")
    if doneOfStoppedApps == 0 { return "\(receipts) of other apps" }
    let others = counts.done - doneOfStoppedApps
    return others > 0 ? "\(receipts), \(CountText.of(others)) of other apps" : nil
  }

  private var outcome: String {
    var parts = ["\(CountText.of(counts.changed)) changed"]
    if counts.retryLater > 0 { parts.append("\(CountText.of(counts.retryLater)) for later") }
    if counts.rejected > 0 { parts.append("\(CountText.of(counts.rejected)) rejected") }
    return parts.joined(separator: ", ")
  }
}

extension [StoppedApp] {
  /// Which apps were stopped and why: a sentence for each reason.
  ///
  /// - Parameter stop: what is known where no app is named.
  func sentence(or stop: SweepSummary.Stop?) -> String {
    let refused = names(.secretRefused)
    let missing = names(.noSecret)
    let foreign = names(.notOurs)
    let keyRefused = names(.keyRefused)
    let keyless = names(.noKey)
    var sentences: [String] = []
    if let refused { sentences.append("Apple refused the shared secret of \(refused) (21004).") }
    if let missing { sentences.append("No shared secret is set for \(missing).") }
    if let foreign { sentences.append("The configuration does not list \(foreign).") }
    if let keyRefused { sentences.append("Apple refused the Server API's key of \(keyRefused) (401).") }
    if let keyless { sentences.append("No key for the Server API is set for \(keyless).") }
    if sentences.isEmpty { sentences.append("Sweep stopped: \(stop.reason).") }
    return sentences.joined(separator: " ")
  }

  /// Which apps were stopped and why, in a few words: `shared secret refused: com.example.a and 2 other apps`.
  var words: String {
    [StoppedApp.Reason.secretRefused, .keyRefused, .noSecret, .noKey].compactMap { reason in
      names(reason).map { "\(reason.words): \($0)" }
    }.joined(separator: "; ")
  }

  /// `com.example.a and 2 other apps`; nil where none was stopped for it.
  private func names(_ reason: StoppedApp.Reason) -> String? {
    let apps = filter { $0.reason == reason }
    guard let first = apps.first else { return nil }
    let name = first.name
    return apps.count == 1 ? name : "\(name) and \(CountText.of(apps.count - 1, "other app"))"
  }
}

extension SweepSummary.Stop? {
  /// Where no app is named.
  fileprivate var reason: String {
    switch self {
    case .noSecret?: "no shared secret is set"
    case .noKey?: "no key for the Server API is set"
    case .keyRefused?: "Apple refused the Server API's key (401)"
    default: "Apple refused the shared secret (21004)"
    }
  }
}

extension StoppedApp {
  var name: String { bundleID?.rawValue ?? "receipts of an unknown app" }

  /// Why it was stopped, in a few words.
  var why: String {
    switch reason {
    case .secretRefused: "Apple refused its shared secret (21004)"
    case .noSecret: "no shared secret is set for it"
    case .notOurs: "it is none of the configured apps"
    case .keyRefused: "Apple refused its key for the Server API (401)"
    case .noKey: "no key for the Server API is set for it"
    }
  }
}

extension StoppedApp.Reason {
  var words: String {
    switch self {
    case .secretRefused: "shared secret refused"
    case .noSecret: "no shared secret"
    case .notOurs: "app not configured"
    case .keyRefused: "Server API key refused"
    case .noKey: "no Server API key"
    }
  }
}

extension SweepSummary.Stop {
  /// Why a sweep ended early, in a few words.
  var words: String {
    switch self {
    case .secretRefused: StoppedApp.Reason.secretRefused.words
    case .noSecret: StoppedApp.Reason.noSecret.words
    case .notOurs: StoppedApp.Reason.notOurs.words
    case .keyRefused: StoppedApp.Reason.keyRefused.words
    case .noKey: StoppedApp.Reason.noKey.words
    case .unreachable: "App Store not reached"
    case .unavailable: "App Store in trouble"
    case .interrupted: "stopped"
    }
  }
}

extension SweepSelection {
  /// The receipts it takes, in a few words.
  var words: String {
    switch self {
    case .due: "due receipts"
    case .all: "every receipt"
    case .listed(let receipts): "\(CountText.of(receipts.ids.count)) of \(receipts.name)"
    case .dead: "given-up receipts"
    case .user(let user): "receipts of user \(user)"
    case .receipt(let id): "receipt \(id)"
    case .chain(let id): "subscription history \(id)"
    }
  }
}
