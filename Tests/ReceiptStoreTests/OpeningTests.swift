import Dispatch
import GRDB
import Glibc
import ReceiptStore
import Subscriptions
import Synchronization
import TestSupport
import Testing

@Suite struct OpeningTests {
  private func mode(_ path: String) -> UInt32? {
    var info = stat()
    return stat(path, &info) == 0 ? info.st_mode & 0o777 : nil
  }

  @Test func onlyTheOwnerCanReadTheFile() throws {
    let folder = TemporaryFolder()
    let path = folder.file("deep/er/store.sqlite")
    let before = umask(0)
    defer { umask(before) }
    let store = try ReceiptStore(path: path)
    _ = try store.add([someReceipt], at: day(1))
    for suffix in ["", "-wal", "-shm"] { #expect(mode(path + suffix) == 0o600, "\(suffix)") }
    #expect(mode(folder.file("deep")) == 0o700)
    #expect(mode(folder.file("deep/er")) == 0o700)
  }

  @Test(arguments: [StoreAccess.readWrite, .readOnly])
  func doesNotOpenAnotherProgramsDatabase(_ access: StoreAccess) throws {
    let folder = TemporaryFolder()
    let path = folder.file("bookmarks.sqlite")
    try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE bookmarks (url)") }
    chmod(path, 0o640)
    let error = #expect(throws: StoreError.self) { try ReceiptStore(path: path, access: access) }
    #expect(error?.description.contains("another program's database") == true)
    #expect(mode(path) == 0o640)
    let tables = try DatabaseQueue(path: path).read {
      try String.fetchAll($0, sql: "SELECT name FROM sqlite_master")
    }
    #expect(tables == ["bookmarks"])
  }

  @Test func usesWALAndStrictTables() throws {
    let shelf = try Shelf()
    try shelf.live(World(seed: 1))
    try shelf.raw { db in
      #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal")
      let tables = try GRDB.Row.fetchAll(db, sql: "PRAGMA table_list").filter {
        $0["type"] == "table" && $0["schema"] == "main" && !($0["name"] as String).hasPrefix("sqlite_")
      }
      let loose = tables.filter { $0["strict"] == 0 }.map { $0["name"] as String }
      #expect(loose == [])
      for view in ["v_lines", "v_transactions", "v_refunds", "v_upgrades", "v_events"] {
        _ = try GRDB.Row.fetchAll(db, sql: "SELECT * FROM \(view)")
      }
    }
    #expect(try shelf.store.status(at: day(1), check: true).integrity == "ok")
  }

  @Test func referencesAreHeld() throws {
    let shelf = try Shelf()
    #expect(throws: DatabaseError.self) { try shelf.write("INSERT INTO receipt_chains VALUES (1, 1, 1)") }
  }

  struct Refusal: CustomTestStringConvertible {
    let name: String
    let says: String
    var access = StoreAccess.readWrite
    let make: @Sendable (TemporaryFolder) throws -> String
    var testDescription: String { name }
  }

  @Test(arguments: [
    Refusal(name: "memory", says: "pass a path") { _ in ":memory:" },
    Refusal(name: "a newer schema", says: "newer subtop") { try newer($0) },
    Refusal(name: "a newer schema, to read", says: "newer subtop", access: .readOnly) { try newer($0) },
    Refusal(name: "a schema that was never released", says: "unreleased") { try older($0) },
    Refusal(name: "a schema that was never released, to read", says: "unreleased", access: .readOnly) {
      try older($0)
    },
    Refusal(name: "an empty file, to read", says: "it is empty", access: .readOnly) {
      try file($0, text: "")
    },
  ])
  func refuses(_ test: Refusal) throws {
    let folder = TemporaryFolder()
    let path = try test.make(folder)
    let error = try #require(throws: StoreError.self) { try ReceiptStore(path: path, access: test.access) }
    #expect(error.description.contains(test.says), "\(error)")
    #expect(error.description.contains(path), "\(error)")
    #expect(!error.description.contains("\n"))
  }

  @Test(.enabled(if: geteuid() != 0, "root may write anywhere"))
  func anUnwritableFolder() throws {
    let folder = TemporaryFolder()
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    let error = #expect(throws: StoreError.self) { try ReceiptStore(path: folder.file("store.sqlite")) }
    #expect(error?.description.contains("Permission denied") == true)
  }

  @Test func readingOnlyWritesNothing() throws {
    let shelf = try Shelf()
    try shelf.live(World(seed: 4))
    let reader = try ReceiptStore(path: shelf.path, access: .readOnly)
    let question = Question(panel: .overview, at: day(60))
    #expect(try reader.report(question) == shelf.store.report(question))
    let error = #expect(throws: StoreError.self) { try reader.add([someReceipt], at: day(1)) }
    #expect(error?.description.contains("read-only") == true)
  }

  @Test(arguments: 1...8) func severalProcessesCanCreateIt(round: Int) throws {
    let folder = TemporaryFolder()
    let path = folder.file("store.sqlite")
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      do { _ = try ReceiptStore(path: path) } catch { failures.withLock { $0.append("\(error)") } }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try ReceiptStore(path: path).status(at: day(1), check: true).integrity == "ok")
  }

  /// Simulates a power cut while the store was created.
  @Test func aHalfCreatedStoreIsCreatedAgain() throws {
    let folder = TemporaryFolder()
    let (living, path) = (folder.file("living.sqlite"), folder.file("store.sqlite"))
    try leaveInterrupted(living, at: path)
    _ = try ReceiptStore(path: path).add([someReceipt], at: day(0))
    let status = try ReceiptStore(path: path, access: .readOnly).status(at: day(1), check: true)
    #expect(status.receipts == 1 && status.integrity == "ok")
    #expect(access(path + "-journal", F_OK) != 0)
  }

  private static func file(_ folder: TemporaryFolder, text: String) throws -> String {
    let path = folder.file("some.file")
    let file = try #require(fopen(path, "w"))
    fputs(text, file)
    fclose(file)
    chmod(path, 0o600)
    return path
  }

  private static func newer(_ folder: TemporaryFolder) throws -> String { try store(folder, schema: 999) }

  private static func older(_ folder: TemporaryFolder) throws -> String { try store(folder, schema: 6) }

  private static func store(_ folder: TemporaryFolder, schema: Int) throws -> String {
    let path = folder.file("other.sqlite")
    _ = try ReceiptStore(path: path)
    try DatabaseQueue(path: path).write { try $0.execute(sql: "PRAGMA user_version = \(schema)") }
    return path
  }
}
