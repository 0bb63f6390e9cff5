import Dispatch
import GRDB
import Glibc
import ReceiptStore
import Subscriptions
import Synchronization
import TestSupport
import Testing

@Suite(.blocking) struct BackupTests {
  private let shelf: Shelf
  private let question = Question(panel: .overview, at: day(90), environment: .all)
  private var copy: String { shelf.folder.file("copy.sqlite") }

  init() throws {
    shelf = try Shelf()
    try shelf.live(World(seed: 3))
  }

  @Test func hasTheSameReportsAsTheStore() throws {
    try shelf.store.backUp(to: copy, replacing: false)
    #expect(
      shelf.folder.names().filter { $0.hasPrefix("copy") } == ["copy.sqlite"], "a single file, without a log")
    var about = stat()
    #expect(stat(copy, &about) == 0 && about.st_mode & 0o777 == 0o600)
    for access in [StoreAccess.readOnly, .existing] {
      let opened = try ReceiptStore(path: copy, access: access)
      #expect(try opened.report(question) == shelf.store.report(question))
      #expect(try opened.status(at: day(90), check: true).integrity == "ok")
    }
  }

  @Test func isConsistentDuringWrites() throws {
    let isDone = Atomic(false)
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      do {
        if index == 0 {
          var count = 0
          while !isDone.load(ordering: .relaxed), count < 40 {
            let page = (0..<500).map { ImportedReceipt(data: ReceiptData(trusted: "MII\(count)x\($0)")) }
            _ = try shelf.store.add(page, at: day(0))
            count += 1
          }
        } else {
          defer { isDone.store(true, ordering: .relaxed) }
          let before = try shelf.store.status(at: day(90)).receipts
          for _ in 0..<5 {
            try shelf.store.backUp(to: copy, replacing: true)
            let status = try ReceiptStore(path: copy, access: .readOnly).status(at: day(90), check: true)
            if status.integrity != "ok" || (status.receipts - before) % 500 != 0 {
              failures.withLock { $0.append("\(status.receipts) receipts, \(status.integrity ?? "")") }
            }
          }
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var says: String
    var replacing = true
    var path: @Sendable (TemporaryFolder) -> String
  }

  private static func written(_ text: String, _ folder: TemporaryFolder) -> String {
    let path = folder.file("there")
    let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
    write(descriptor, text, text.utf8.count)
    close(descriptor)
    return path
  }

  @Test(arguments: [
    Refusal(testDescription: "a file that is there", says: "the file exists already", replacing: false) {
      folder in
      close(open(folder.file("there"), O_CREAT | O_WRONLY, 0o644))
      return folder.file("there")
    },
    Refusal(testDescription: "the store", says: "the store itself") { $0.file("store.sqlite") },
    Refusal(testDescription: "the store's log", says: "a part of") { $0.file("store.sqlite-wal") },
    Refusal(testDescription: "the store's journal", says: "a part of") { $0.file("store.sqlite-journal") },
    Refusal(testDescription: "a link to the store", says: "the store itself") { folder in
      symlink(folder.file("store.sqlite"), folder.file("link"))
      return folder.file("link")
    },
    Refusal(testDescription: "where a link is in its way", says: "Too many levels of symbolic links") {
      folder in
      symlink(folder.file("store.sqlite"), folder.file(".copy.sqlite.subtop-unfinished"))
      return folder.file("copy.sqlite")
    },
    Refusal(testDescription: "where a second name is in its way", says: "is not an unfinished copy") {
      folder in
      close(open(folder.file("other"), O_CREAT | O_WRONLY, 0o600))
      link(folder.file("other"), folder.file(".copy.sqlite.subtop-unfinished"))
      return folder.file("copy.sqlite")
    },
    Refusal(testDescription: "a device", says: "not a regular file") { _ in "/dev/null" },
    Refusal(testDescription: "a text", says: "neither a copy nor a store") { folder in
      Self.written("SQLite format 3", folder)
    },
    Refusal(testDescription: "another program's database", says: "neither a copy nor a store") { folder in
      let path = folder.file("other.sqlite")
      _ = try? DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE t (a)") }
      return path
    },
    Refusal(testDescription: "a database that is cut before its mark", says: "neither a copy nor a store") {
      folder in
      Self.written("SQLite format 3\0\u{10}\0\u{1}\u{1}", folder)
    },
    Refusal(testDescription: "a folder", says: "not a regular file") { $0.path },
    Refusal(testDescription: "where there is no folder", says: "No such file") { $0.file("no/copy") },
  ])
  func refuses(_ refusal: Refusal) throws {
    let path = refusal.path(shelf.folder)
    let before = shelf.folder.names()
    let error = #expect(throws: StoreError.self) {
      try shelf.store.backUp(to: path, replacing: refusal.replacing)
    }
    #expect(error?.description.contains(refusal.says) == true, "\(error?.description ?? "")")
    #expect(shelf.folder.names() == before)
    #expect(try shelf.store.status(at: day(90), check: true).integrity == "ok")
  }

  @Test func leavesNoCopyOfADamagedStore() throws {
    try shelf.write("UPDATE spans SET current_id = 99999")
    close(open(copy, O_CREAT | O_WRONLY, 0o600))
    let error = #expect(throws: StoreError.self) { try shelf.store.backUp(to: copy, replacing: true) }
    #expect(error?.description.contains("store.sqlite is damaged") == true, "\(error?.description ?? "")")
    var about = stat()
    #expect(stat(copy, &about) == 0 && about.st_size == 0, "what was there is there")
    #expect(error?.description.contains("rows refer") == true, "\(error?.description ?? "")")
    #expect(shelf.folder.names().filter { $0.contains("copy") } == ["copy.sqlite"])
  }

  /// The error must name the damaged file: replacing the wrong one would lose an intact store.
  @Test(arguments: [false, true]) func saysWhichFileIsDamaged(isRestored: Bool) throws {
    let damaged = shelf.folder.file("damaged.sqlite")
    try shelf.store.backUp(to: damaged, replacing: false)
    try breakSpans(of: damaged)
    let store = try ReceiptStore(path: damaged, access: .readOnly)
    let error = #expect(throws: StoreError.self) {
      if isRestored {
        _ = try store.restore(to: copy, replacing: false)
      } else {
        try store.backUp(to: copy, replacing: false)
      }
    }
    let said = try #require(error?.description)
    #expect(said.contains("damaged.sqlite is damaged") && !said.contains("copy.sqlite .recover"), "\(said)")
    #expect(said.contains(isRestored ? "pass an earlier copy" : "damaged.sqlite .recover"), "\(said)")
    #expect(access(copy, F_OK) != 0)
  }

  /// Overwrites the root page of the spans table, after which the file can still be opened.
  private func breakSpans(of path: String) throws {
    let page = try shelf.raw {
      try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'spans'")
    }
    let file = open(path, O_WRONLY)
    defer { close(file) }
    let noise = [UInt8](repeating: 0x5a, count: 4096)
    #expect(pwrite(file, noise, noise.count, (try #require(page) - 1) * noise.count) == noise.count)
  }

  @Test func changesNoForeignFile() throws {
    let others = ["copy.sqlite.partial", ".copy.sqlite.partial"].map(shelf.folder.file)
    for other in others { close(open(other, O_CREAT | O_WRONLY, 0o600)) }
    try shelf.store.backUp(to: copy, replacing: false)
    #expect(try ReceiptStore(path: copy, access: .readOnly).report(question) == shelf.store.report(question))
    for other in others { #expect(access(other, F_OK) == 0) }
  }

  @Test func doesNotReplaceAFileWithALog() throws {
    try shelf.store.backUp(to: copy, replacing: false)
    let log = open(copy + "-wal", O_CREAT | O_WRONLY, 0o600)
    write(log, "log", 3)
    close(log)
    let error = #expect(throws: StoreError.self) { try shelf.store.backUp(to: copy, replacing: true) }
    #expect(error?.kind == .misused && error?.description.contains("its own log") == true)
  }

  @Test func concurrentBackupsDoNotInterfere() throws {
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      do {
        try shelf.store.backUp(to: copy, replacing: true)
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    let failed = failures.withLock { $0 }
    #expect(
      failed.count < 4 && failed.allSatisfy { $0.contains("another program is making a copy there") },
      "\(failed)")
    #expect(shelf.folder.names().filter { $0.contains("copy") } == ["copy.sqlite"])
    #expect(try ReceiptStore(path: copy, access: .readOnly).report(question) == shelf.store.report(question))
  }

  @Test func overwritesTheFileOfAKilledBackup() throws {
    let left = shelf.folder.file(".copy.sqlite.subtop-unfinished")
    let descriptor = open(left, O_CREAT | O_WRONLY, 0o600)
    #expect(ftruncate(descriptor, 100 << 20) == 0)
    close(descriptor)
    try shelf.store.backUp(to: copy, replacing: false)
    #expect(access(left, F_OK) != 0)
    #expect(
      try ReceiptStore(path: copy, access: .readOnly).status(at: day(90), check: true).integrity == "ok")
  }

  @Test func doesNotReplaceAStoreInUse() throws {
    let other = try ReceiptStore(path: copy)
    _ = try other.add([someReceipt], at: day(0))
    let error = #expect(throws: StoreError.self) { try shelf.store.backUp(to: copy, replacing: true) }
    #expect(error?.kind == .misused)
    #expect(try other.status(at: day(1)).receipts == 1)
  }
}
