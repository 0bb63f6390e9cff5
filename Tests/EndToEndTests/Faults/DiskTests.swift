import FakeAppStore
import Glibc
import TestSupport
import Testing

@Suite("Full and read-only disks", .enabled(if: SmallDisk.isPermitted, "mounts are not permitted"))
struct DiskTests {
  private let disk: SmallDisk
  private let life: Killing

  init() async throws {
    disk = try SmallDisk(megabytes: 8)
    life = try await Killing(ObservedAppStore { $0.latency = 50 }, receipts: 100, at: disk / "store.sqlite")
  }

  @Test(arguments: ["sweep", "responses"])
  func writesNothingToAFullDisk(_ what: String) async throws {
    let before = try life.portrait()
    try disk.fill()
    let outcome = try await command(what)
    #expect(outcome.ending == .code(74), "\(outcome.errors)")
    #expect(
      outcome.errors.contains("check the disk and its free space")
        || outcome.errors.contains("free disk space"))
    #expect(outcome.errors.split(separator: "\n").count == 1)
    disk.makeRoom()
    #expect(try life.store.complaints() == [])
    #expect(try life.portrait().differences(from: before) == [])
    let again = try await command(what)
    #expect(again.ending == .code(0), "\(again.errors)")
  }

  @Test(.tags(.long)) func aSweepKeepsItsCommitsIfTheDiskFills() async throws {
    let sweep = try life.start("--all")
    try await soon("something is committed: \(sweep.errors)") {
      try (life.answered() > 0 || sweep.hasEnded) ? true : nil
    }
    try disk.fill()
    let ending = try await sweep.ending()
    disk.makeRoom()
    if ending == .code(0) {
      // The sweep ended before the disk was full, or SQLite had reserved space.
      #expect(try life.answered() == 100)
    } else {
      #expect(ending == .code(74), "\(sweep.errors)")
      #expect(sweep.errors.contains("free disk space") || sweep.errors.contains("its free space"))
    }
    let kept = try life.answered()
    try await life.isSound("after the disk was full")
    let rest = try await life.sweep("--due")
    #expect(rest.ending == .code(0), "\(rest.errors)")
    #expect(try rest.json["picked"]?.integer == 100 - kept)
    let quiet = try await Killing(life.appStore, receipts: 100)
    _ = try await quiet.sweep()
    #expect(try life.portrait().differences(from: quiet.portrait()) == [])
  }

  @Test func readsAReadOnlyDisk() async throws {
    // A killed sweep leaves its log, which readers need but could not create.
    let sweep = try life.start("--all")
    let known = "SELECT count(*) FROM chains WHERE original_transaction_id = '120000000000000'"
    try await soon("the chain is known: \(sweep.errors)") {
      try (life.store.number(known) > 0 || sweep.hasEnded) ? true : nil
    }
    kill(sweep.pid, SIGKILL)
    _ = try await sweep.ending()
    let before = try life.portrait()
    try await disk.setReadOnly(true)
    for arguments in [["status"], ["report", "active"], ["sweeps"], ["chain", "120000000000000"]] {
      let outcome = try await life.subtop.run(arguments, code: 0)
      #expect(!outcome.output.isEmpty && outcome.errors.isEmpty)
    }
    for what in ["sweep", "catalog"] {
      let outcome = try await command(what)
      #expect(outcome.ending == .code(74))
      #expect(outcome.errors.contains("Read-only file system"), "\(outcome.errors)")
    }
    try await disk.setReadOnly(false)
    #expect(try life.portrait().differences(from: before) == [])
  }

  /// SQLite cannot read a store in WAL mode on a read-only disk if the log is missing.
  @Test func readsAReadOnlyDiskWithoutALog() async throws {
    #expect(try await life.sweep().ending == .code(0))
    try StoreTables.execute("PRAGMA wal_checkpoint(TRUNCATE)", on: life.store.path)
    for suffix in ["-wal", "-shm"] { File.remove(life.store.path + suffix) }
    try await disk.setReadOnly(true)
    for arguments in [
      ["status", "--check"], ["report", "active"], ["sweeps"], ["backup", life.subtop.home / "copy"],
    ] {
      try await life.subtop.run(arguments, code: 0)
    }
    #expect(
      try await life.subtop.run("status", "--check", "--store", life.subtop.home / "copy").ending == .code(0))
    let dashboard = try await life.subtop.run("status", "--rebuild")
    #expect(dashboard.ending == .code(74) && dashboard.errors.contains("dashboard --readonly"))
    try await disk.setReadOnly(false)
    #expect(File.names(in: disk.path) == ["store.sqlite"])
  }

  @Test(.enabled(if: Tmux.isThere, "tmux is not installed"))
  func theDashboardReportsItAndContinues() async throws {
    let visit = try await Visit(life.subtop, ["dashboard", "--no-mouse"] + life.appStore.options)
    let tmux = visit.tmux
    try await tmux.wait(for: "Nothing to count yet")
    try disk.fill()
    try await tmux.press("S", showing: "Enter or y sweeps")
    try await tmux.press("y")
    try await tmux.wait("what is wrong with the disk") { $0.contains("disk") }
    disk.makeRoom()
    try await tmux.press("S", showing: "Enter or y sweeps")
    try await tmux.press("y")
    try await tmux.wait("the sweep is through") { $0.contains("Sweep idle") && $0.contains("validated 100") }
    try await tmux.press("F10")
    try await visit.isOver(0)
    try await life.isSound("after a dashboard on a full disk")
  }

  private func command(_ what: String) async throws -> Outcome {
    switch what {
    case "sweep": return try await life.sweep()
    case "catalog":
      let file = try life.subtop.file("prices", CatalogText.header + CatalogText.price("another"))
      return try await life.subtop.run("import", "catalog", file)
    default:
      return try await life.subtop.run(
        "import", what, try life.subtop.file("more", life.appStore.responses(20)))
    }
  }
}
