import Screen
import Subscriptions

extension SweepSummary {
  /// Result of the sweep in short sentences, for a toast and for printed output.
  var inOneSentence: (text: String, level: Toast.Level) {
    switch stopped {
    case .secretRefused?, .noSecret?, .notOurs?, .keyRefused?, .noKey?, .untrusted?, .otherApp?:
      ("\(stoppedApps.sentence(or: stopped)) \(theRest)", .bad)
    case .unreachable?: ("Sweep stopped: the App Store could not be reached. Nothing was changed.", .bad)
    case .unavailable?:
      (
        "Sweep stopped after \(CountText.of(counts.done, "receipt")): the App Store "
          + (silence.map { "asked for a pause of another \(AgeText.of($0))" } ?? "keeps failing")
          + ". The other receipts are unchanged and stay due.", .warn
      )
    case .interrupted?: ("Sweep stopped after \(CountText.of(counts.done, "receipt")): \(outcome).", .info)
    case nil where counts.picked == 0 && held > 0:
      ("Another sweep is checking \(CountText.of(held, "receipt")); there is nothing else to sweep.", .info)
    case nil where counts.picked == 0: ("Nothing to sweep.", .info)
    case nil:
      (
        "Swept \(CountText.of(counts.done, "receipt")) in \(AgeText.of(length)): \(outcome).",
        counts.retryLater + counts.rejected > 0 ? .warn : .good
      )
    }
  }

  /// Sentence on the receipts that were swept although some apps were stopped.
  private var theRest: String {
    counts.done > 0 ? "Swept \(CountText.of(counts.done, "receipt")): \(outcome)." : "Nothing was changed."
  }

  private var outcome: String {
    var parts = ["\(CountText.of(counts.changed)) changed"]
    if counts.retryLater > 0 { parts.append("\(CountText.of(counts.retryLater)) postponed") }
    if counts.rejected > 0 { parts.append("\(CountText.of(counts.rejected)) rejected") }
    return parts.joined(separator: ", ")
  }
}

extension [StoppedApp] {
  /// Returns a sentence for each reason with its apps, or for `stop` if there is no app.
  func sentence(or stop: SweepSummary.Stop?) -> String {
    let sentences = byReason.map { $0.clause($1).sentenceCase }
    guard sentences.isEmpty, let stop, stop.isOfApps else { return sentences.joined(separator: " ") }
    return "Sweep stopped: \(stop.clause())."
  }

  /// Short text with reasons and apps: `shared secret refused: com.example.a and 2 other apps`.
  var words: String { byReason.map { "\($0.words): \($1)" }.joined(separator: "; ") }

  private var byReason: [(reason: StoppedApp.Reason, apps: String)] {
    StoppedApp.Reason.allCases.compactMap { reason in
      let apps = filter { $0.reason == reason }
      guard let name = apps.first?.name else { return nil }
      return (
        reason, apps.count == 1 ? name : "\(name) and \(CountText.of(apps.count - 1, "other app"))"
      )
    }
  }
}

extension StoppedApp {
  var name: String { bundleID?.rawValue ?? "receipts of an unknown app" }

  var why: String { reason.clause() }
}

extension SweepSummary.Stop {
  var words: String {
    switch self {
    case .secretRefused: "shared secret refused"
    case .noSecret: "no shared secret"
    case .notOurs: "app not configured"
    case .keyRefused: "Server API key refused"
    case .noKey: "no Server API key"
    case .untrusted: "signatures not trusted"
    case .otherApp: "answers for another app"
    case .unreachable: "App Store not reached"
    case .unavailable: "App Store keeps failing"
    case .interrupted: "stopped"
    }
  }

  /// Returns the reason as a clause, with the name `app` (if any) for reasons that concern an app.
  fileprivate func clause(_ app: String? = nil) -> String {
    let about = app.map { " for \($0)" } ?? ""
    return switch self {
    case .secretRefused: "Apple refused the shared secret\(about) (21004)"
    case .noSecret: "no shared secret is set\(about)"
    case .notOurs: "the configuration does not list \(app ?? "the app")"
    case .keyRefused: "Apple refused the Server API key\(about) (401)"
    case .noKey: "no Server API key is set\(about)"
    case .untrusted: "the Server API's answers\(about) have no trusted signature"
    case .otherApp: "the Server API's answers\(about) are about another app"
    case .unreachable, .unavailable, .interrupted: words
    }
  }
}

extension SweepSelection {
  var words: String {
    switch self {
    case .due: "due receipts"
    case .all: "all receipts"
    case .listed(let receipts): "\(CountText.of(receipts.ids.count)) of \(receipts.name)"
    case .dead: "given-up receipts"
    case .user(let user): "receipts of user \(user)"
    case .receipt(let id): "receipt \(id)"
    case .chain(let id): "subscription history \(id)"
    }
  }
}

extension Toast {
  /// Returns the sign and the word of the level, which are readable without colour.
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
