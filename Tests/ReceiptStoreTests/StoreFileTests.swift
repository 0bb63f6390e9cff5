import Dispatch
import Glibc
import ReceiptStore
import Subscriptions
import Synchronization
import TestSupport
import Testing

@Suite struct StoreFileTests {
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
    let folder = TemporaryFolder()
    let path = folder.file("store.sqlite")
    let store = try ReceiptStore(path: path)
    _ = try store.add([someReceipt], at: day(0))
    let reader = try ReceiptStore(path: path, access: .readOnly)
    try work.work(store)
    var about = stat()
    #expect(stat(path + "-wal", &about) == 0 && about.st_size == 0, "\(about.st_size) bytes")
    #expect(try reader.status(at: day(1)).receipts >= 1)
  }

  /// A page limit simulates a full disk.
  @Test func aFullDiskLosesNoDataAndRecovers() throws {
    let folder = TemporaryFolder()
    let path = folder.file("store.sqlite")
    let big = { (number: Int) in
      ImportedReceipt(data: ReceiptData(trusted: "MII\(number)" + String(repeating: "A", count: 40_000)))
    }
    let store = try ReceiptStore(path: path, access: .readWrite, policy: .standard, pages: 120)
    #expect(try store.add([big(1)], at: day(1)).new == 1)
    let answer = makeAnswer(at: day(1), monthly("1", 0, 30))
    let outcome = ReceiptOutcome(receipt: ReceiptID(rawValue: 1), result: .answered(answer, status: 0))
    _ = try store.record([outcome], of: nil, at: day(1))
    let before = try store.evidenceLedger().lines
    for _ in 0..<2 {
      let error = #expect(throws: StoreError.self) { try store.add((2...20).map(big), at: day(1)) }
      #expect(error?.description.contains("free disk space") == true, "\(error?.description ?? "")")
      #expect(error?.description.contains("MII") == false)
    }
    #expect(try store.evidenceLedger().lines == before)
    #expect(try store.status(at: day(1), check: true).integrity == "ok")
    // Small writes still fit.
    #expect(try store.record([outcome], of: nil, at: day(2)) == [.unchanged])
    let roomy = try ReceiptStore(path: path)
    #expect(try roomy.add((2...20).map(big), at: day(1)).new == 19)
    #expect(try store.status(at: day(2)).receipts == 20)
  }

  @Test func aShortTimeoutDoesNotWait() throws {
    let shelf = try Shelf()
    let other = try ReceiptStore(path: shelf.path)
    other.shortenBusyTimeout()
    try shelf.holding {
      let error = #expect(throws: StoreError.self) { try other.add([someReceipt], at: day(1)) }
      #expect(error?.description.contains("another program") == true)
    }
    #expect(try other.add([someReceipt], at: day(1)).new == 1)
  }

  /// A long import must release the lock between commits.
  @Test func anImportAllowsOtherWriters() throws {
    let shelf = try Shelf()
    let other = try ReceiptStore(path: shelf.path)
    let many = (0..<4000).map { ImportedReceipt(data: ReceiptData(trusted: "MII\($0)")) }
    let sizes = Mutex<[Int]>([])
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      do {
        if index == 0 {
          _ = try shelf.store.add(many, at: day(0))
        } else {
          while sizes.withLock({ $0.last ?? 0 }) < many.count, failures.withLock({ $0.isEmpty }) {
            _ = try other.beginSweep(.due, by: "test", at: day(1))
            let count = try other.status(at: day(1)).receipts
            sizes.withLock { $0.append(count) }
          }
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(sizes.withLock { $0.allSatisfy { $0 % 500 == 0 } }, "whole commits")
  }
}
