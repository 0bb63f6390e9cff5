import Glibc
import TestSupport
import Testing

/// Copies made by hand and by cron.
@Suite("Backups")
struct BackupCommandTests {
  private let subtop: Subtop
  private var copy: String { subtop.home / "copy.sqlite" }

  init() async throws { subtop = try await SmallStore.copy() }

  @Test func areStoresThemselves() async throws {
    let made = try await subtop.run("backup", copy)
    #expect(made.ending == .code(0) && made.output.isEmpty && made.errors.isEmpty, "\(made.errors)")
    #expect(File.mode(copy) == 0o600)
    let report = ["report", "overview", "--format", "json", "--at", World.now]
    let (of, from) = (try await subtop.run(report), try await subtop.run(report + ["--store", copy]))
    #expect(of.ending == .code(0) && of.output == from.output)
    #expect(try await subtop.run("status", "--check", "--store", copy).ending == .code(0))
  }

  @Test func replaceOnlyWhatTheyMay() async throws {
    try File.write("something else", to: copy)
    let refused = try await subtop.run("backup", copy)
    #expect(refused.ending == .code(64) && refused.errors.contains("--replace"), "\(refused.errors)")
    #expect(try File.text(copy) == "something else")
    #expect(try await subtop.run("backup", "--replace", copy).ending == .code(0))
    #expect(try await subtop.run("status", "--check", "--store", copy).ending == .code(0))
    let itself = try await subtop.run("backup", "--replace", subtop.store)
    #expect(itself.ending == .code(64) && itself.errors.contains("the store itself"), "\(itself.errors)")
    let nothing = try await subtop.run("backup", copy, "--store", subtop.home / "nothing")
    #expect(nothing.ending == .code(66))
  }

  @Test func leaveNothingWhenTheyAreStopped() async throws {
    var random = Seeded(5)
    for _ in 0..<8 {
      let backup = try subtop.start(["backup", copy])
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...120, using: &random)))
      kill(backup.pid, SIGINT)
      let ending = try await backup.ending(within: 30)
      let names = File.names(in: subtop.home.path).filter { $0.hasPrefix("copy") && !$0.hasSuffix("-shm") }
      if names == ["copy.sqlite"] {
        #expect(try StoreFile(path: copy).complaints() == [])
        File.remove(copy)
      } else {
        #expect(names == [] && ending == .signal(SIGINT), "\(ending): \(backup.errors)")
      }
    }
  }
}
