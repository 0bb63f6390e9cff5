import Glibc
import TestSupport
import Testing

/// The command `backup`; `BackupTests` and `RestoreTests` cover copies and refusals.
@Suite("Backups") struct BackupCommandTests {
  private let subtop: Subtop
  private var copy: String { subtop.home / "copy.sqlite" }

  init() async throws { subtop = try await SmallStore.copy() }

  @Test func replaceFilesOnlyIfAllowed() async throws {
    try File.write("something else", to: copy)
    let folder = subtop.home.path
    for (arguments, code, words) in [
      ([copy], 64, "or --replace"), ([copy, "--replace"], 64, "neither a copy nor a store"),
      (["--replace", subtop.store], 64, "the store itself"), ([folder], 64, "not a regular file"),
      (["-"], 64, "standard output"), ([copy, "--store", subtop.home / "nothing"], 66, "/nothing"),
      ([copy, "--at=2026-01-01"], 64, "--at"),
    ] as [([String], Int32, String)] {
      try await subtop.run(["backup"] + arguments, code: code, says: [words])
      #expect(try File.text(copy) == "something else")
    }
    try File.write("", to: copy)
    for _ in 1...2 {
      #expect(try await subtop.run("backup", "--replace", copy).ending == .code(0))
    }
    #expect(try await subtop.run("status", "--check", "--store", copy).ending == .code(0))
  }

  @Test func areRestored() async throws {
    #expect(try await subtop.run("backup", copy).ending == .code(0))
    let place = subtop.home / "place.sqlite"
    let made = try await subtop.run("restore", copy, "--store", place)
    #expect(made.ending == .code(0) && made.output.isEmpty && made.errors.isEmpty, "\(made.errors)")
    try await subtop.run("restore", copy, "--store", place, code: 64, says: ["--replace"])
    let again = try await subtop.run("restore", copy, "--replace", "--store", place)
    #expect(again.ending == .code(0) && again.errors.contains("place.sqlite.replaced"), "\(again.errors)")
    for path in [place, place + ".replaced"] {
      #expect(try await subtop.run("status", "--check", "--store", path).ending == .code(0))
    }
    for (arguments, code, words) in [
      ([subtop.store, "--replace"], 64, "the store itself"),
      ([subtop.home / "none"], 66, "the copy does not exist"), (["/dev/null"], 66, "it is a device"),
    ] as [([String], Int32, String)] {
      try await subtop.run(["restore"] + arguments, code: code, says: [words])
    }
  }

  @Test func areRemovedAtTheFileSizeLimit() async throws {
    let outcome = try await subtop.shell("ulimit -f 100; exec \"$0\" backup '\(copy)'")
    #expect(outcome.ending == .code(74) && outcome.errors.contains("ulimit -f"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("not an error"), "\(outcome.errors)")
    #expect(File.names(in: subtop.home.path).filter { $0.contains("copy") } == [])
  }

  @Test func areSuggestedForAMalformedStore() async throws {
    #expect(try await subtop.run("backup", copy).ending == .code(0))
    var bytes = try File.bytes(copy)
    for place in 4096 * 8..<bytes.count { bytes[place] = 0xA5 }
    try File.write(bytes, to: copy)
    for arguments in [["status", "--check"], ["backup", subtop.home / "second"]] {
      let said = try await subtop.run(arguments + ["--store", copy], code: 74, says: ["subtop restore"])
      #expect(!said.errors.contains("status --check") && said.errors.utf8.count < 1500, "\(said.errors)")
    }
  }

  /// The signal arrives before, during or after the backup.
  @Test func leaveNoFilesWhenStopped() async throws {
    var random = Seeded(5)
    for _ in 0..<4 {
      let backup = try subtop.start(["backup", copy])
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...120, using: &random)))
      kill(backup.pid, SIGINT)
      let ending = try await backup.ending()
      // SQLite may recreate an empty log between removal and exit.
      let names = File.names(in: subtop.home.path).filter {
        $0.contains("copy") && !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal")
      }
      if names == ["copy.sqlite"] {
        #expect(try StoreFile(path: copy).complaints() == [])
        File.remove(copy)
      } else {
        #expect(names == [] && ending == .signal(SIGINT), "\(ending), \(names): \(backup.errors)")
      }
    }
  }
}
