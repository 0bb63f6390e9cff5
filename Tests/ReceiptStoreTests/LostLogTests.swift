import Foundation
import Glibc
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// What is in a store's log alone is never lost without a word, and at the end of what a program does there is nothing in it.
@Suite struct LostLogTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.file("store.sqlite") }

  struct Work: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var work: @Sendable (ReceiptStore) throws -> Void
  }

  @Test(arguments: [
    Work(testDescription: "receipts") { store in
      var pages = [[ImportedReceipt(data: ReceiptData(trusted: "MIIC"))]]
      _ = try store.add(pages: { pages.popLast() }, at: day(1))
    },
    Work(testDescription: "answers") { store in
      let answer = makeAnswer(at: day(1), monthly("1", 0, 30))
      _ = try store.add(
        [ImportedAnswer(answer: answer, status: 0, appUserID: nil, observedAt: day(1))], at: day(1))
    },
    Work(testDescription: "notifications") { _ = try $0.add([makeNotification(.didRenew)], at: day(1)) },
    Work(testDescription: "prices") { _ = try $0.add(World.catalog) },
    Work(testDescription: "a rebuild") { try $0.rebuild() },
    Work(testDescription: "a sweep") { store in
      let sweep = try store.beginSweep(.due, by: "test", at: day(1))
      try store.finish(sweep, SweepSummary(started: day(1), elapsed: 0, counts: SweepCounts()), at: day(1))
    },
  ])
  func theLogIsEmptyAtTheEnd(_ work: Work) throws {
    let store = try ReceiptStore(path: path)
    _ = try store.add([someReceipt], at: day(0))
    let reader = try ReceiptStore(path: path, access: .readOnly)
    try work.work(store)
    var about = stat()
    #expect(stat(path + "-wal", &about) == 0 && about.st_size == 0, "\(about.st_size) bytes")
    #expect(try reader.status(at: day(1)).receipts >= 1)
  }

  /// A store as a killed program leaves it: its commits are in the log alone.
  private func leaveAKilledStore() throws {
    let living = folder.file("living.sqlite")
    let store = try ReceiptStore(path: living)
    let receipts = (0..<50).map { ImportedReceipt(data: ReceiptData(trusted: "MII\($0)")) }
    _ = try store.add(receipts, at: day(0))
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.copyItem(atPath: living + suffix, toPath: path + suffix)
    }
  }

  @Test func whoComesAfterAKilledProgramIsTold() throws {
    try leaveAKilledStore()
    rename(path + "-wal", folder.file("kept"))
    let names = folder.names()
    let error = #expect(throws: StoreError.self) { try ReceiptStore(path: path) }
    #expect(error?.description.contains("-wal was removed or cut off") == true, "\(error?.description ?? "")")
    #expect(folder.names() == names, "nothing is begun")
    rename(folder.file("kept"), path + "-wal")
    #expect(try ReceiptStore(path: path, access: .existing).status(at: day(1), check: true).receipts == 50)
  }

  /// Restoring a copy is one way out. What is left of the store stays as it is: not even the rest of the log goes into it.
  @Test func whatIsReplacedIsStillTold() throws {
    let copy = folder.file("copy.sqlite")
    _ = try ReceiptStore(path: copy).add([someReceipt], at: day(0))
    try leaveAKilledStore()
    try FileManager.default.copyItem(atPath: path + "-wal", toPath: folder.file("log"))
    unlink(path + "-wal")
    let before = FileManager.default.contents(atPath: path)
    let kept = try #require(
      try ReceiptStore(path: copy, access: .readOnly).restore(to: path, replacing: true))
    #expect(kept.missesCommits)
    #expect(try ReceiptStore(path: path, access: .existing).status(at: day(1), check: true).receipts == 1)
    #expect(FileManager.default.contents(atPath: kept.path) == before)
    let error = #expect(throws: StoreError.self) { try ReceiptStore(path: kept.path, access: .existing) }
    #expect(error?.description.contains("commits that were in it alone are missing") == true)
    unlink(kept.path + "-wal")
    rename(folder.file("log"), kept.path + "-wal")
    #expect(
      try ReceiptStore(path: kept.path, access: .existing).status(at: day(1), check: true).receipts == 50)
  }

  /// SQLite would go on behind the end that it knows, and at last copy into the file what is not there.
  @Test func aLogThatIsCutOffUnderWhoeverHasItOpenStopsThem() throws {
    var store: ReceiptStore? = try ReceiptStore(path: path)
    let receipts = (0..<50).map { ImportedReceipt(data: ReceiptData(trusted: "MII\($0)")) }
    _ = try store?.add(receipts, at: day(0))
    try FileManager.default.copyItem(atPath: path + "-wal", toPath: folder.file("kept"))
    truncate(path + "-wal", 40)
    for work in [
      { _ = try $0.add([someReceipt], at: day(1)) }, { _ = try $0.status(at: day(1), check: false) },
    ] as [(ReceiptStore) throws -> Void] {
      let error = #expect(throws: StoreError.self) { try store.map(work) }
      #expect(
        error?.description.contains("-wal was cut off while it was open") == true,
        "\(error?.description ?? "")")
    }
    store = nil
    let saved = folder.file("saved.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: saved)
    try FileManager.default.copyItem(atPath: folder.file("kept"), toPath: saved + "-wal")
    #expect(
      try ReceiptStore(path: saved, access: .existing).status(at: day(1), check: true).receipts == 50,
      "the file is as it was")
  }
}
