import Dashboard
import Glibc
import Subscriptions

/// What systemd runs of subtop: sweeps, a listener, copies of the store.
struct UnitFindings {
  let findings: [Finding]

  private static let timer = "subtop-sweep.timer"
  private static let listener = "subtop-listen.service"
  private static let backup = "subtop-backup.timer"
  /// Milliseconds for one question: systemd may be starting or stopping.
  private static let limit = 5 * Milliseconds.second
  /// A copy is made every night.
  private static let oldestCopy = 2 * Milliseconds.day

  /// - Parameter lastSweep: when the last one ended, so that whoever sweeps by other means is not told to use a timer.
  init(lastSweep: Instant?, store: String, at now: Instant) {
    guard Self.succeeds(["--version"]) else {
      findings = [.ok("timer", "systemd is not here; cron or the like is to run `subtop sweep`")]
      return
    }
    findings = [
      Self.sweeps(lastSweep: lastSweep, at: now), Self.receiving, Self.copies(of: store, at: now),
    ]
  }

  /// Whose systemd: the machine's, or the user's.
  private enum Manager {
    case system, user

    /// Those whose units may be meant, the likelier one first.
    static var all: [Manager] { geteuid() == 0 ? [.system, .user] : [.user, .system] }

    var option: [String] { self == .user ? ["--user"] : [] }
    var whose: String { self == .user ? "your " : "" }
    /// `systemctl --user start`
    func command(_ verb: String) -> String { (["systemctl"] + option + [verb]).joined(separator: " ") }
    func journal(_ unit: String) -> String { "`journalctl \(self == .user ? "--user " : "")-u \(unit)`" }
  }

  private static func manager(_ verb: String, _ unit: String) -> Manager? {
    Manager.all.first { succeeds($0.option + [verb, "--quiet", unit]) }
  }

  private static func sweeps(lastSweep: Instant?, at now: Instant) -> Finding {
    if let manager = manager("is-failed", "subtop-sweep.service") {
      return .warning(
        "timer", "\(manager.whose)subtop-sweep.service failed; \(manager.journal("subtop-sweep")) says why")
    }
    if let manager = manager("is-active", timer) { return .ok("timer", "\(manager.whose)\(timer) is active") }
    if let lastSweep, now - lastSweep <= StoreFindings.longestPause {
      return .ok("timer", "\(timer) is not active, and something else sweeps")
    }
    return .warning(
      "timer", "\(timer) is not active; run `systemctl enable --now \(timer)`, for a user's with --user")
  }

  private static var receiving: Finding {
    if let manager = manager("is-active", listener) {
      return .ok("listener", "\(manager.whose)\(listener) is active")
    }
    if let manager = manager("is-failed", listener) ?? manager("is-enabled", listener) {
      return .warning(
        "listener",
        "\(manager.whose)\(listener) is to run, and does not; \(manager.journal("subtop-listen")) says why, and "
          + "`\(manager.command("start")) \(listener)` starts it")
    }
    return .ok(
      "listener",
      "\(listener) is not enabled; where Apple is to send notifications here, run `systemctl enable --now \(listener)`"
    )
  }

  private static func copies(of store: String, at now: Instant) -> Finding {
    guard let manager = manager("is-active", backup) else {
      return .ok(
        "backup",
        "\(backup) is not active; for a copy every night run `systemctl enable --now \(backup)`, or have cron run `subtop backup`"
      )
    }
    let copy: String
    switch manager {
    case .system:
      copy = store.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/backup.sqlite"
    case .user: copy = (Environment.variable("HOME") ?? "") + "/subtop-backup.sqlite"
    }
    let mending =
      "run `\(manager.command("start")) subtop-backup.service`; \(manager.journal("subtop-backup")) says what is wrong"
    var status = stat()
    guard stat(copy, &status) == 0 else {
      return .warning("backup", "\(backup) is active, and there is no copy at \(copy) yet; \(mending)")
    }
    let age = now - Instant(milliseconds: Int64(status.st_mtim.tv_sec) * 1000)
    guard age <= oldestCopy else {
      return .warning("backup", "the copy at \(copy) is \(AgeText.of(age)) old; \(mending)")
    }
    return .ok(
      "backup",
      "\(manager.whose)\(backup) is active, and the copy at \(copy) is \(AgeText.of(max(0, age))) old")
  }

  private static func succeeds(_ arguments: [String]) -> Bool {
    ChildProgram(words: ["systemctl"] + arguments, hidden: [], limit: limit).run() == nil
  }
}
