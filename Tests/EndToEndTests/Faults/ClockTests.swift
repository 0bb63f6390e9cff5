import FakeAppStore
import Glibc
import Testing

/// Clocks that are set while a store is in use.
@Suite("Clocks that are set", .enabled(if: FakedClock.isThere, "libfaketime is not installed"))
struct ClockTests {
  private let life: Killing

  init() async throws { life = try await Killing(ObservedAppStore { $0.latency = 20 }, receipts: 80) }

  private func sweep(_ selection: String, days: Int, ending: Ending = .code(0)) async throws -> JSON {
    let arguments = ["sweep", selection, "--format", "json"] + life.appStore.options
    let child = try FakedClock.start(life.subtop, arguments, ahead: days)
    defer { FakedClock.tidy(after: child) }
    #expect(try await child.ending() == ending, "\(child.errors)")
    return try JSON(Array(child.output.utf8))
  }

  /// What a clock that ran ahead planned for next year comes due again when the clock is set back.
  @Test func backAfterASweep() async throws {
    #expect(try await sweep("--due", days: 300)["validated"]?.integer == 80)
    #expect(try await sweep("--due", days: 0)["picked"]?.integer == 80, "due again")
    #expect(try await sweep("--due", days: 0)["picked"]?.integer == 0, "and only once")
    #expect(try await sweep("--all", days: 0)["picked"]?.integer == 80)
    try await life.isSound("after the clock was set back")
  }

  /// A clock of another decade, for one sweep or one import, leaves nothing that is stuck until then.
  @Test func backByYearsAfterASweep() async throws {
    #expect(try await sweep("--due", days: 3650)["validated"]?.integer == 80)
    #expect(try await sweep("--due", days: 0)["picked"]?.integer == 80, "due again")
    #expect(try await sweep("--due", days: 0)["picked"]?.integer == 0, "and only once")
    try await life.isSound("after the clock was set back by years")
  }

  @Test func byYearsDuringImports() async throws {
    for (user, days) in [("ahead", 3650), ("behind", -3650)] {
      let file = try life.subtop.file(
        user, "{\"receipt-data\":\"MII\(days > 0 ? "B" : "C")\",\"app_user_id\":\"\(user)\"}\n")
      let child = try FakedClock.start(life.subtop, ["import", "receipts", file], ahead: days)
      defer { FakedClock.tidy(after: child) }
      #expect(try await child.ending() == .code(0), "\(child.errors)")
    }
    let summary = try await sweep("--due", days: 0, ending: .code(75))
    #expect(summary["picked"]?.integer == 82 && summary["retry_later"]?.integer == 2, "both are due at once")
    #expect(try await life.subtop.run("sweeps").ending == .code(0))
  }

  @Test func forwardAfterASweep() async throws {
    #expect(try await sweep("--due", days: 0)["validated"]?.integer == 80)
    #expect(try await sweep("--due", days: 0)["picked"]?.integer == 0)
    #expect(try await sweep("--due", days: 40)["picked"]?.integer == 80, "everything is due forty days later")
    try await life.isSound("after the clock was set forward")
  }

  /// A lease of next year holds nothing back this year.
  @Test func backWhileReceiptsAreHeld() async throws {
    let slow = try await ObservedAppStore { $0.latency = 60_000 }
    let held = try FakedClock.start(life.subtop, ["sweep", "--all"] + slow.options, ahead: 300)
    defer { FakedClock.tidy(after: held) }
    try await soon("receipts are held: \(held.errors)") {
      try life.store.lastLeaseEnd() != nil || held.hasEnded ? true : nil
    }
    kill(held.pid, SIGKILL)
    #expect(try await held.ending() == .signal(SIGKILL))
    #expect(try life.store.lastLeaseEnd() != nil)
    #expect(try await sweep("--all", days: 0)["picked"]?.integer == 80)
    #expect(try life.store.lastLeaseEnd() == nil)
    try await life.isSound("after leases of the future")
  }
}

/// libfaketime, in a program's environment.
enum FakedClock {
  private static let library: String? =
    File.names(in: "/usr/lib").map { "/usr/lib/\($0)/faketime/libfaketimeMT.so.1" }.first(where: File.exists)

  static let isThere: Bool = {
    if library == nil { print("SKIPPED: clocks that are set, since libfaketime is not installed") }
    return library != nil
  }()

  /// Starts the program in a shell's place, with a clock that runs ahead; what measures spans is left alone.
  ///
  /// The library sets variables before `main`, whereupon Swift does not find its arguments any more: so that they are set
  /// already, the shell had the library as well.
  static func start(_ subtop: Subtop, _ arguments: [String], ahead days: Int) throws -> Child {
    guard let library, let shell = Program.installed("sh") else { throw ProgramError.missing("libfaketime") }
    let clock = [
      "LD_PRELOAD": library, "FAKETIME": "\(days < 0 ? "" : "+")\(days)d", "DONT_FAKE_MONOTONIC": "1",
    ]
    return try Child(
      shell, ["-c", "exec \"$0\" \"$@\"", try Program.built("subtop").path] + arguments,
      environment: subtop.environment.merging(clock) { $1 })
  }

  /// Takes away what the library shares among programs, which the shell has left behind.
  static func tidy(after child: Child) {
    for name in ["faketime_shm_", "sem.faketime_sem_"] { File.remove("/dev/shm/\(name)\(child.pid)") }
  }
}
