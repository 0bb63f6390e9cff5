import Dispatch
import GRDB
import Glibc
import ReceiptStore
import Subscriptions
import Synchronization
import TestSupport
import Testing

@Suite struct ClaimTests {
  private func shelf(receipts: Int) throws -> Shelf {
    let shelf = try Shelf()
    let all = (0..<receipts).map { ImportedReceipt(data: ReceiptData(trusted: "MII\($0)")) }
    #expect(try shelf.store.add(all, at: day(0)).new == receipts)
    return shelf
  }

  private func claim(
    _ store: ReceiptStore, _ sweep: SweepID, _ selection: SweepSelection = .due, started: Instant = day(1),
    limit: Int = 100, at now: Instant = day(1)
  ) throws -> [Int64] {
    try store.claim(
      selection, for: sweep, started: started, after: nil, limit: limit, lease: Milliseconds.minute, at: now
    ).receipts.map(\.id.rawValue)
  }

  private let later = ReceiptOutcome.Result.retryLater(status: 21005, reason: "busy", nextDue: day(9))

  /// Two stores on one file, as in two processes, are used by several threads.
  @Test func noReceiptIsTakenTwiceAtOnce() throws {
    let shelf = try shelf(receipts: 600)
    let stores = [shelf.store, try ReceiptStore(path: shelf.path)]
    let taken = Mutex<[Int64]>([])
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      let store = stores[index % 2]
      do {
        let sweep = try store.beginSweep(.due, by: "test", at: day(1))
        var (cursor, isLast) = (ClaimCursor?.none, false)
        while !isLast {
          let claim = try store.claim(
            .due, for: sweep, started: day(1), after: cursor, limit: 7, lease: Milliseconds.minute, at: day(1)
          )
          taken.withLock { $0 += claim.receipts.map(\.id.rawValue) }
          (cursor, isLast) = (claim.cursor, claim.isLast)
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(taken.withLock { $0 }.sorted() == Array(1...600))
  }

  struct Holding: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// Milliseconds after the first sweep's claim.
    var after: Int64
    var isFree: Bool
  }

  @Test(arguments: [
    Holding(testDescription: "at once", after: 0, isFree: false),
    Holding(testDescription: "just before it is out", after: Milliseconds.minute - 1, isFree: false),
    Holding(testDescription: "when it is out", after: Milliseconds.minute, isFree: true),
    Holding(testDescription: "by a clock a little behind", after: -30 * Milliseconds.second, isFree: false),
    Holding(testDescription: "made by a clock that ran ahead", after: -Milliseconds.day, isFree: true),
  ])
  func aLeaseHolds(_ holding: Holding) throws {
    let shelf = try shelf(receipts: 3)
    let (one, other) = (
      try shelf.store.beginSweep(.due, by: "one", at: day(1)),
      try shelf.store.beginSweep(.due, by: "other", at: day(1))
    )
    #expect(try claim(shelf.store, one) == [1, 2, 3])
    let now = day(1) + holding.after
    #expect(try shelf.store.count(of: .all, at: now).free == (holding.isFree ? 3 : 0))
    #expect(try claim(shelf.store, other, started: now, at: now) == (holding.isFree ? [1, 2, 3] : []))
  }

  struct Owner: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// Changes this process's identity into that of the earlier sweep.
    var process: @Sendable (SweepProcess) -> SweepProcess
    var isTakenOver: Bool
  }

  /// Leases of dead processes are released at once, unless the process cannot be seen from here.
  @Test(arguments: [
    Owner(testDescription: "there", process: { $0 }, isTakenOver: false),
    Owner(testDescription: "gone", process: { $0.with(pid: .max) }, isTakenOver: true),
    Owner(
      testDescription: "another process with its number", process: { $0.with(started: $0.started + 1) },
      isTakenOver: true),
    Owner(
      testDescription: "before the machine's last start", process: { $0.with(bootID: "-") }, isTakenOver: true
    ),
    Owner(
      testDescription: "on another machine", process: { $0.with(host: "-", pid: .max) }, isTakenOver: false),
    Owner(
      testDescription: "in another container", process: { $0.with(pidNamespace: "-", pid: .max) },
      isTakenOver: false),
    Owner(testDescription: "unknown", process: { $0.with(host: "", pid: 0) }, isTakenOver: false),
  ])
  func anEndedSweepHoldsNoLeases(_ owner: Owner) throws {
    let shelf = try shelf(receipts: 3)
    let first = try shelf.store.beginSweep(.due, by: "one", at: day(1), in: owner.process(.current))
    #expect(try claim(shelf.store, first) == [1, 2, 3])
    let free = owner.isTakenOver ? 3 : 0
    #expect(try shelf.store.count(of: .all, at: day(1)).free == free, "before anybody took over")
    #expect(
      try shelf.store.sweeps(limit: 1, at: day(1)).map(\.state) == [owner.isTakenOver ? .killed : .running])
    let next = try shelf.store.beginSweep(.due, by: "next", at: day(1) + 1)
    #expect(try shelf.store.count(of: .all, at: day(1) + 1).held == 3 - free)
    #expect(try claim(shelf.store, next, at: day(1) + 1) == (owner.isTakenOver ? [1, 2, 3] : []))
    let record = try #require(try shelf.store.sweeps(limit: 2, at: day(1) + 1).last)
    #expect(record.state == (owner.isTakenOver ? .killed : .running))
    #expect(record.stopped == (owner.isTakenOver ? "killed" : nil))
    #expect(record.finishedAtMs == (owner.isTakenOver ? day(1) : nil))
  }

  @Test func aZombieIsGone() throws {
    var pid = pid_t()
    let arguments = [strdup("true"), nil]
    defer { free(arguments[0]) }
    try #require(posix_spawnp(&pid, "true", nil, nil, arguments, nil) == 0)
    defer { waitpid(pid, nil, 0) }
    var about = siginfo_t()
    try #require(waitid(P_PID, id_t(pid), &about, WEXITED | WNOWAIT) == 0)
    let text = try String(decoding: #require(try? Self.bytes("/proc/\(pid)/stat")), as: UTF8.self)
    let fields = text[try #require(text.lastIndex(of: ")"))...].split(separator: " ")
    let started = try #require(UInt64(fields[20]))
    #expect(SweepProcess.current.with(pid: pid, started: started).isGone)
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes[..<count])
  }

  @Test func aSignOfLifeRenewsAndGivingBackFrees() throws {
    let shelf = try shelf(receipts: 3)
    let one = try shelf.store.beginSweep(.due, by: "one", at: day(1))
    let other = try shelf.store.beginSweep(.due, by: "other", at: day(1))
    _ = try claim(shelf.store, one)
    let half = day(1) + Milliseconds.minute / 2
    let progress = SweepSummary(started: day(1), elapsed: 30_000, counts: SweepCounts())
    _ = try shelf.store.keepAlive(one, progress: progress, lease: Milliseconds.minute) { (0, half) }
    #expect(try claim(shelf.store, other, at: day(1) + Milliseconds.minute) == [])
    try shelf.store.release([ReceiptID(rawValue: 2)], of: other)
    #expect(try claim(shelf.store, other, at: half) == [], "what another holds is not given back")
    try shelf.store.release([ReceiptID(rawValue: 2)], of: one)
    #expect(try claim(shelf.store, other, at: half) == [2])
    try shelf.store.finish(one, progress, at: half)
    #expect(try claim(shelf.store, other, at: half) == [1, 3])
  }

  @Test func claimsTheLongestDueFirstAndOnce() throws {
    let shelf = try shelf(receipts: 4)
    try shelf.write("UPDATE receipts SET next_due_at_ms = next_due_at_ms - id")
    let sweep = try shelf.store.beginSweep(.due, by: "test", at: day(1))
    let first = try shelf.store.claim(
      .due, for: sweep, started: day(1), after: nil, limit: 2, lease: 1000, at: day(1))
    #expect(first.receipts.map(\.id.rawValue) == [4, 3] && !first.isLast)
    // Receipts that became due meanwhile are left to the next sweep.
    _ = try shelf.store.record(
      [ReceiptOutcome(receipt: first.receipts[0].id, result: later)], of: sweep, at: day(1))
    let second = try shelf.store.claim(
      .due, for: sweep, started: day(1), after: first.cursor, limit: 9, lease: 1000, at: day(10))
    #expect(second.receipts.map(\.id.rawValue) == [2, 1] && second.isLast)
  }

  @Test func claimsEveryReceiptOfALongListOnce() throws {
    let shelf = try shelf(receipts: 2600)
    let list = SweepSelection.listed(ListedReceipts((1...2600).map { ReceiptID(rawValue: $0) }, of: "all"))
    #expect(try shelf.store.count(of: list, at: day(1)).free == 2600)
    #expect(try shelf.store.receiptIDs(of: list, at: day(1)).map(\.rawValue) == Array(1...2600))
    let sweep = try shelf.store.beginSweep(list, by: "test", at: day(1))
    var (taken, cursor, isLast) = ([Int64](), ClaimCursor?.none, false)
    while !isLast {
      let claim = try shelf.store.claim(
        list, for: sweep, started: day(1), after: cursor, limit: 700, lease: 1000, at: day(1))
      taken += claim.receipts.map(\.id.rawValue)
      (cursor, isLast) = (claim.cursor, claim.isLast)
    }
    #expect(taken == Array(1...2600))
  }

  @Test func allSkipsReceiptsThatAnotherSweepChecked() throws {
    let shelf = try shelf(receipts: 3)
    let sweep = try shelf.store.beginSweep(.all, by: "test", at: day(1))
    for (id, at) in [(1, day(1)), (2, day(1) + 1), (3, day(900))] {
      let outcome = ReceiptOutcome(receipt: ReceiptID(rawValue: Int64(id)), result: later)
      _ = try shelf.store.record([outcome], of: nil, at: at)
    }
    #expect(try claim(shelf.store, sweep, .all, at: day(2)) == [1, 3], "the third by a clock that ran ahead")
  }

  @Test func aChainNamesItsReceipts() throws {
    let shelf = try shelf(receipts: 3)
    for id in [1, 3] {
      try shelf.take(makeAnswer(at: day(1), monthly("1", 0, 30)), for: ReceiptID(rawValue: Int64(id)))
    }
    let chain = SweepSelection.chain(OriginalTransactionID("1"))
    #expect(try shelf.claim(chain, at: day(2)).map(\.id.rawValue) == [1, 3])
    #expect(try shelf.store.count(of: chain, at: day(2)).free == 2)
    let due = try #require(try shelf.claim(chain, at: day(2)).first)
    #expect(due.originalTransactionIDs == [OriginalTransactionID("1")] && due.lastFullAnswer == day(1))
    #expect(due.history.since == nil && due.history.lastReason == nil)
  }

  @Test func lateFailuresAreDroppedAndLateAnswersKept() throws {
    let shelf = try shelf(receipts: 4)
    let one = try shelf.store.beginSweep(.due, by: "one", at: day(1))
    let other = try shelf.store.beginSweep(.due, by: "other", at: day(1))
    _ = try claim(shelf.store, one)
    #expect(try claim(shelf.store, other, at: day(2)) == [1, 2, 3, 4])
    let outcomes: [ReceiptOutcome.Result] = [
      later, .rejected(status: 21003, reason: "not authentic"), .accountGone,
      .answered(makeAnswer(at: day(1), monthly("1", 0, 30)), status: 0),
    ]
    let late = outcomes.enumerated().map {
      ReceiptOutcome(receipt: ReceiptID(rawValue: Int64($0 + 1)), result: $1)
    }
    let recorded = try shelf.store.record(late, of: one, at: day(2))
    #expect(recorded == [.lost, .lost, .lost, .changed(AnswerNews(newTransactions: 1))])
    #expect(try shelf.store.status(at: day(2)).dead == 0)
    #expect(try shelf.raw { try Int.fetchOne($0, sql: "SELECT sum(attempts) FROM receipts") } == 0)
    #expect(try shelf.raw { try Int.fetchOne($0, sql: "SELECT count(*) FROM leases") } == 4)
    // An expired lease is still valid if no other sweep has claimed the receipt.
    #expect(try shelf.store.record(late, of: other, at: day(3)).first == .noted)
    #expect(try shelf.raw { try Int.fetchOne($0, sql: "SELECT count(*) FROM leases") } == 0)
  }
}

extension SweepProcess {
  fileprivate func with(
    host: String? = nil, bootID: String? = nil, pidNamespace: String? = nil, pid: Int32? = nil,
    started: UInt64? = nil
  ) -> SweepProcess {
    var process = self
    process.host = host ?? self.host
    process.bootID = bootID ?? self.bootID
    process.pidNamespace = pidNamespace ?? self.pidNamespace
    process.pid = pid ?? self.pid
    process.started = started ?? self.started
    return process
  }
}
