import FakeAppStore
import Glibc
import Testing

/// Whatever of a store is removed while programs use it, nothing ends in a malformed file that nobody was told about.
@Suite("Stores whose log goes")
struct RemovedLogTests {
  struct Loss: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// Suffixes of the store's name, in the order of removal.
    var removed: [String]
    /// Whether others come between the one and the other.
    var isSlow = false

    static let all = [
      Loss(testDescription: "the log", removed: ["-wal"]),
      Loss(testDescription: "the log's index", removed: ["-shm"]),
      Loss(testDescription: "the log and its index", removed: ["-wal", "-shm"]),
      Loss(testDescription: "the index, others, the log", removed: ["-shm", "-wal"], isSlow: true),
      Loss(testDescription: "the log, others, the index", removed: ["-wal", "-shm"], isSlow: true),
      Loss(testDescription: "the file", removed: [""]),
      Loss(testDescription: "the log, others, the file", removed: ["-wal", ""], isSlow: true),
    ]
  }

  private let life: Killing

  init() async throws { life = try await Killing(ObservedAppStore { $0.latency = 1500 }, receipts: 120) }

  @Test(arguments: Loss.all)
  func whileASweepRuns(_ loss: Loss) async throws {
    let sweep = try life.start("--all")
    // It would end as soon as it notices, and all would be well for whoever comes then.
    try await stop(sweep)
    let committed = try life.answered()
    try await happen(loss)
    kill(sweep.pid, SIGCONT)
    #expect(try await sweep.ending() == .code(74), "\(sweep.errors)")
    #expect(sweep.errors.contains("while it was open"), "\(sweep.errors)")
    try await isWhole(with: committed)
  }

  @Test(.enabled(if: Tmux.isThere, "tmux is not installed"), arguments: Loss.all)
  func whileTheDashboardShowsIt(_ loss: Loss) async throws {
    #expect(try await life.sweep().ending == .code(0))
    let committed = try life.answered()
    let visit = try await Visit(life.subtop, [])
    try await visit.tmux.wait(for: "Subscribers in")
    try await happen(loss)
    try await visit.tmux.press("3")
    try await visit.tmux.wait(for: "Active: not read")
    try await visit.tmux.press("q")
    try await visit.isOver(0)
    try await isWhole(with: committed)
  }

  @Test(arguments: [0, 40_000])
  func aLogThatIsCutOffUnderASweep(_ length: off_t) async throws {
    let sweep = try life.start("--all")
    // A log that is shorter yet would become longer.
    try await stop(sweep, withLogOver: 2 * length)
    truncate(life.store.path + "-wal", length)
    kill(sweep.pid, SIGCONT)
    #expect(try await sweep.ending() == .code(74), "\(sweep.errors)")
    #expect(sweep.errors.contains("cut off while it was open"), "\(sweep.errors)")
    let told = try await life.subtop.run("status", "--check")
    #expect(told.ending == .code(74) && told.errors.contains("-wal was removed or cut off"), "\(told.errors)")
    File.remove(life.store.path + "-wal")
    File.remove(life.store.path + "-shm")
    #expect(try await life.subtop.run("status", "--check").ending == .code(0), "the file is whole")
    #expect(try await life.sweep().ending == .code(0))
  }

  /// Stops a sweep between two commits: what was cut off under one that is writing would be as long as before once it goes on.
  private func stop(_ sweep: Child, withLogOver length: off_t = 0) async throws {
    try await soon("something is committed, and nothing is being written: \(sweep.errors)") {
      () throws -> Bool? in
      var log = stat()
      let isLong = stat(life.store.path + "-wal", &log) == 0 && log.st_size > length
      guard try (isLong && life.answered() > 0) || sweep.hasEnded else { return nil }
      sweep.suspend()
      guard life.store.isBeingWritten else { return true }
      kill(sweep.pid, SIGCONT)
      return nil
    }
  }

  /// Others, who come while the first is at work, are told as well.
  private func happen(_ loss: Loss) async throws {
    let price = try life.subtop.file("price", CatalogText.header + CatalogText.price("another"))
    for (count, suffix) in loss.removed.enumerated() {
      File.remove(life.store.path + suffix)
      guard loss.isSlow || count == loss.removed.count - 1 else { continue }
      for arguments in [["import", "catalog", price], ["report", "active"], ["status", "--check"]] {
        let outcome = try await life.subtop.run(arguments)
        let isMissing = !File.exists(life.store.path) && arguments[0] != "import"
        #expect(outcome.ending == .code(isMissing ? 66 : 74), "\(outcome.command): \(outcome.errors)")
        #expect(outcome.output.isEmpty)
      }
    }
  }

  /// Whoever had the log open has put it into the file: nothing that was committed is lost with it.
  private func isWhole(with committed: Int) async throws {
    guard File.exists(life.store.path) else { return }
    #expect(try life.store.complaints() == [])
    #expect(try life.answered() >= committed)
    #expect(try await life.subtop.run("status", "--check").ending == .code(0))
    #expect(try await life.sweep().ending == .code(0))
  }

  /// Memory that all who have a store open share ends with its file: whoever looks beyond is ended by the system.
  @Test func aTruncatedIndexEndsProgramsButNotTheStore() async throws {
    let sweep = try life.start("--all")
    try await stop(sweep)
    let committed = try life.answered()
    truncate(life.store.path + "-shm", 0)
    kill(sweep.pid, SIGCONT)
    #expect(try await sweep.ending() == .signal(SIGBUS), "\(sweep.errors)")
    #expect(sweep.errors.contains("subtop: ended by a fault of its own (SIGBUS"), "\(sweep.errors)")
    try await isWhole(with: committed)
  }
}
