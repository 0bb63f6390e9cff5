import Screen
import Subscriptions

extension SweepCondition {
  /// What is to be said where no sweep runs here.
  var idle: [StyledText] {
    if let failure = sweep.failure {
      return [state("failed", .bad, failure), due] + silence
    }
    guard let last else {
      return [
        state("idle", .dim, queue == nil ? "" : "nothing has been swept yet"), due,
      ] + silence
    }
    return last + [due] + silence
  }

  /// Other sweeps on the same store, which this one shares the queue with.
  var elsewhere: [StyledText] {
    let others = queue?.sweeps.filter { $0.state == .running && !isOwn($0) } ?? []
    return others.map { other in
      let who = other.startedBy.isEmpty ? "another program" : "the \(other.startedBy)"
      let seen = "seen \(AgeText.since(other.lastSeenAtMs, at: now))"
      return [
        TextSpan("\(glyphs.bullet) a sweep of \(who) is running", Style(.info, .bold)),
        TextSpan(", \(seen): \(other.selection), \(CountText.of(other.validated)) validated"),
      ]
    }
  }

  private func isOwn(_ record: SweepRecord) -> Bool {
    sweep.started.map(record.isOfOne(startedHereAt:)) ?? false
  }

  /// How the last sweep ended; nil where there was none.
  private var last: [StyledText]? {
    if let record = queue?.sweeps.last(besides: sweep.last) { return [ending(of: record)] }
    guard let summary = sweep.last else { return nil }
    let (sentence, level) = summary.inOneSentence
    let apps = stopped(summary.stoppedApps)
    guard apps.isEmpty else {
      let rest = "\(summary.doneBesides ?? CountText.of(summary.counts.done, "receipt")) swept"
      return apps + [state("idle", .dim, "\(rest) in \(AgeText.of(summary.length))")]
    }
    guard summary.stopped != nil else { return [state("idle", .dim, sentence)] }
    let why = ["Sweep stopped: ", "Sweep stopped "].first { sentence.hasPrefix($0) }
      .map { String(sentence.dropFirst($0.count)) }
    return [state("stopped", level == .bad ? .bad : .warn, why ?? sentence)]
  }

  private func ending(of record: SweepRecord) -> StyledText {
    let when = AgeText.since(record.finishedAtMs ?? record.lastSeenAtMs, at: now)
    let who = record.startedBy.isEmpty ? "" : " of the \(record.startedBy)"
    if let failure = record.failure {
      return state("idle", .dim, "the last sweep\(who) failed \(when): \(failure)")
    }
    let counts =
      "\(CountText.of(record.validated)) validated, \(CountText.of(record.changed)) changed"
    return [
      TextSpan("\(glyphs.bullet) idle", Style(.dim, .bold)), TextSpan("  the last sweep\(who) \(when): "),
    ] + record.end(at: now, in: glyphs) + [TextSpan(", \(counts)")]
  }

  /// That sweeps wait, where the App Store asked one of them for it.
  private var silence: [StyledText] {
    guard let until = queue?.sweeps.compactMap(\.notBeforeMs).max(), until > now else { return [] }
    return [
      StyledText("The App Store asked to be left alone for another \(AgeText.of(until - now)).", .warn)
    ]
  }

  /// What there is to do, and the key for it.
  private var due: StyledText {
    guard let queue else { return "" }
    if queue.due == 0 { return StyledText("Nothing is due.", .dim) }
    let count = CountText.of(queue.due)
    guard !isReadOnly else { return StyledText("\(count) due", .text) }
    return [
      TextSpan("\(count) due", .strong), TextSpan("; "), TextSpan("s", .key), TextSpan(" sweeps them, "),
      TextSpan("S", .key), TextSpan(" every receipt."),
    ]
  }
}
