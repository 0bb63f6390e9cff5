import Screen
import Subscriptions

extension SweepSummary {
  /// Result of the sweep in a sentence, for a toast and for printed output.
  var inOneSentence: (text: String, level: Toast.Level) {
    switch stopped {
    case .secretRefused?, .noSecret?, .notOurs?, .keyRefused?, .noKey?, .untrusted?, .otherApp?:
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
        "Swept \(CountText.of(counts.done, "receipt")) in \(AgeText.of(length)): \(outcome).",
        counts.retryLater + counts.rejected > 0 ? .warn : .good
      )
    }
  }

  /// Receipts that were swept nevertheless, and their results.
  private var theRest: String {
    guard counts.done > 0 else { return "Nothing was changed." }
    let swept = doneBesides ?? "\(CountText.of(counts.done, "receipt")) before that"
    return "Swept \(swept): \(outcome)."
  }

  /// `2,412 receipts of other apps`; `nil` if all finished receipts are of apps that were stopped later.
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
  /// Returns a sentence for each reason, with its apps.
  ///
  /// - Parameter stop: Reason to use if there is no app.
  func sentence(or stop: SweepSummary.Stop?) -> String {
    let reasons: [StoppedApp.Reason] = [
      .secretRefused, .noSecret, .notOurs, .keyRefused, .noKey, .untrusted, .otherApp,
    ]
    let sentences = reasons.compactMap { reason in names(reason).map(reason.formatter.sentence) }
    guard sentences.isEmpty, let reason = stop.flatMap({ StoppedApp.Reason(rawValue: $0.rawValue) }) else {
      return sentences.joined(separator: " ")
    }
    return "Sweep stopped: \(reason.formatter.withoutApp)."
  }

  /// Reasons and apps in short: `shared secret refused: com.example.a and 2 other apps`.
  var words: String {
    [StoppedApp.Reason.secretRefused, .keyRefused, .untrusted, .otherApp, .noSecret, .noKey].compactMap {
      reason in
      names(reason).map { "\(reason.formatter.words): \($0)" }
    }.joined(separator: "; ")
  }

  /// `com.example.a and 2 other apps`; `nil` if the reason applies to no app.
  private func names(_ reason: StoppedApp.Reason) -> String? {
    let apps = filter { $0.reason == reason }
    guard let first = apps.first else { return nil }
    let name = first.name
    return apps.count == 1 ? name : "\(name) and \(CountText.of(apps.count - 1, "other app"))"
  }
}

extension StoppedApp {
  var name: String { bundleID?.rawValue ?? "receipts of an unknown app" }

  var why: String { reason.formatter.ofApp }
}

/// Texts for a reason to stop an app.
private struct StopWording {
  var words: String
  /// Text after the name of an app.
  var ofApp: String
  /// Text without an app.
  var withoutApp: String
  var sentence: (String) -> String
}

extension StoppedApp.Reason {
  fileprivate var formatter: StopWording {
    switch self {
    case .secretRefused:
      StopWording(
        words: "shared secret refused", ofApp: "Apple refused its shared secret (21004)",
        withoutApp: "Apple refused the shared secret (21004)",
        sentence: { "Apple refused the shared secret of \($0) (21004)." })
    case .noSecret:
      StopWording(
        words: "no shared secret", ofApp: "no shared secret is set for it",
        withoutApp: "no shared secret is set", sentence: { "No shared secret is set for \($0)." })
    case .notOurs:
      StopWording(
        words: "app not configured", ofApp: "it is none of the configured apps",
        withoutApp: "its receipts are of apps that the configuration does not list",
        sentence: { "The configuration does not list \($0)." })
    case .keyRefused:
      StopWording(
        words: "Server API key refused", ofApp: "Apple refused its key for the Server API (401)",
        withoutApp: "Apple refused the Server API's key (401)",
        sentence: { "Apple refused the Server API's key of \($0) (401)." })
    case .noKey:
      StopWording(
        words: "no Server API key", ofApp: "no key for the Server API is set for it",
        withoutApp: "no key for the Server API is set",
        sentence: { "No key for the Server API is set for \($0)." })
    case .untrusted:
      StopWording(
        words: "signatures not trusted",
        ofApp: "what the Server API answers is not signed by anyone trusted",
        withoutApp: "what the Server API answers is not signed by anyone trusted",
        sentence: { "What the Server API answers for \($0) is not signed by anyone trusted." })
    case .otherApp:
      StopWording(
        words: "answers of another app", ofApp: "what the Server API answers is of another app",
        withoutApp: "what the Server API answers is of another app",
        sentence: { "What the Server API answers for \($0) is of another app." })
    }
  }
}

extension SweepSummary.Stop {
  var words: String {
    switch self {
    case .secretRefused, .noSecret, .notOurs, .keyRefused, .noKey, .untrusted, .otherApp:
      StoppedApp.Reason(rawValue: rawValue)?.formatter.words ?? rawValue
    case .unreachable: "App Store not reached"
    case .unavailable: "App Store in trouble"
    case .interrupted: "stopped"
    }
  }
}

extension SweepSelection {
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

extension Toast {
  /// Sign and word of the level, which do not depend on colour.
  func mark(in glyphs: GlyphSet) -> String { "\(level.mark(in: glyphs)) \(level.word)" }
}

extension Toast.Level {
  var word: String {
    switch self {
    case .info: "Note"
    case .good: "Done"
    case .warn: "Warning"
    case .bad: "Failed"
    }
  }
}
