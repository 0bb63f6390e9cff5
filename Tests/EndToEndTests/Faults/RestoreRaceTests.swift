import Glibc
import TestSupport
import Testing

/// The store must be complete after restores among other commands, and after killed restores.
@Suite("Restores among other commands")
struct RestoreRaceTests {
  private let subtop: Subtop
  private let copy: String

  init() async throws {
    subtop = try await SmallStore.copy()
    copy = subtop.home / "copy.sqlite"
    try #require(try await subtop.run("backup", copy).ending == .code(0))
  }

  private func isWhole(_ what: String) async throws {
    let status = try await subtop.run("status", "--check", "--format", "json")
    #expect(status.ending == .code(0), "\(what): \(status.errors)")
    #expect(try status.json["receipts"]?.integer == 40, "\(what)")
  }

  @Test func leaveAStoreThatEveryCommandOpens() async throws {
    var random = Seeded(11)
    let price = try subtop.file("price", CatalogText.header + CatalogText.price("another"))
    for round in 0..<SoakSize.kills {
      let restore = try subtop.start(["restore", "--replace", copy])
      var others: [Child] = []
      for arguments in [["import", "catalog", price], ["report", "active"], ["import", "catalog", price]] {
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...40, using: &random)))
        others.append(try subtop.start(arguments))
      }
      for child in [restore] + others {
        let ending = try await child.ending()
        #expect(ending == .code(0) || ending == .code(74), "\(child.name): \(child.errors)")
      }
      try await isWhole("round \(round)")
    }
  }

  @Test func leaveAnIntactStoreWhenKilled() async throws {
    var random = Seeded(12)
    for round in 0..<SoakSize.kills {
      let restore = try subtop.start(["restore", "--replace", copy])
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...90, using: &random)))
      kill(restore.pid, SIGKILL)
      _ = try await restore.ending()
      try await isWhole("round \(round)")
    }
    #expect(try await subtop.run("restore", "--replace", copy).ending == .code(0))
    let left = File.names(in: subtop.home.path).filter { $0.contains(".subtop-") }
    #expect(left == [], "the next clears away what killed ones left")
  }
}
