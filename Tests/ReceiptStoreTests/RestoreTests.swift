import Foundation
import GRDB
import Glibc
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct RestoreTests {
  private let folder = TemporaryFolder()
  private let copy: String
  private var place: String { folder.file("place.sqlite") }

  init() throws {
    copy = folder.file("copy.sqlite")
    let store = try ReceiptStore(path: folder.file("store.sqlite"))
    _ = try store.add([ImportedReceipt(data: ReceiptData(trusted: "MIIcopy"))], at: day(0))
    try store.backUp(to: copy, replacing: false)
  }

  /// Store of a killed process, with commits only in its log.
  private func leaveAKilledStore() throws {
    let living = folder.file("living.sqlite")
    let store = try ReceiptStore(path: living)
    for page in 0..<3 {
      let receipts = (0..<50).map { ImportedReceipt(data: ReceiptData(trusted: "MII\(page)x\($0)")) }
      _ = try store.add(receipts, at: day(0))
    }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: living + suffix, toPath: place + suffix)
    }
  }

  private func receipts(_ path: String) throws -> Int {
    let status = try ReceiptStore(path: path, access: .existing).status(at: day(1), check: true)
    #expect(status.integrity == "ok")
    return status.receipts
  }

  @Test func keepsTheStoreOfAKilledProgram() throws {
    try leaveAKilledStore()
    let kept = try ReceiptStore(path: copy, access: .readOnly).restore(to: place, replacing: true)
    #expect(kept?.hasSuffix("/place.sqlite.replaced") == true)
    for path in [place, place + ".replaced"] {
      var about = stat()
      #expect(stat(path, &about) == 0 && about.st_nlink == 1)
      #expect(access(path + "-wal", F_OK) != 0, "its commits are in the file")
    }
    #expect(try receipts(place) == 1)
    #expect(try receipts(place + ".replaced") == 150, "with what was in its log")
    #expect(try receipts(copy) == 1)
    let again = try ReceiptStore(path: copy, access: .readOnly).restore(to: place, replacing: true)
    #expect(again?.hasSuffix("/place.sqlite.replaced-2") == true)
    #expect(try receipts(place + ".replaced-2") == 1)
    #expect(try receipts(place + ".replaced") == 150)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file to another user"))
  func doesNotRestoreACopyOfAnotherUser() throws {
    chown(copy, 54_321, 54_321)
    let names = folder.names()
    let error = #expect(throws: StoreError.self) { try ReceiptStore.checkCopy(at: copy) }
    #expect(error?.kind == .notPermitted && error?.description.contains("the user 54321") == true)
    #expect(folder.names() == names)
  }

  @Test(arguments: [false, true]) func aLinkToNothingIsNamed(_ replacing: Bool) throws {
    symlink(folder.file("nothing"), place)
    let names = folder.names()
    let error = #expect(throws: StoreError.self) {
      try ReceiptStore(path: copy, access: .readOnly).restore(to: place, replacing: replacing)
    }
    #expect(
      error?.description.contains("/nothing, which does not exist") == true, "\(error?.description ?? "")")
    #expect(folder.names().sorted() == names.sorted())
  }

  @Test func createsAMissingStore() throws {
    let path = folder.file("new/place.sqlite")
    #expect(try ReceiptStore(path: copy, access: .readOnly).restore(to: path, replacing: false) == nil)
    #expect(try receipts(path) == 1)
  }

  @Test(arguments: [StoreAccess.readOnly, .existing])
  func aLogBesideACopyThatWasPutThereByHandIsRefused(_ access: StoreAccess) throws {
    try leaveAKilledStore()
    unlink(place)
    try FileManager.default.copyItem(atPath: copy, toPath: place)
    let names = folder.names()
    let error = #expect(throws: StoreError.self) { try ReceiptStore(path: place, access: access) }
    #expect(error?.description.contains("belongs to an earlier file") == true, "\(error?.description ?? "")")
    #expect(folder.names() == names)
    rename(place + "-wal", folder.file("away"))
    #expect(try receipts(place) == 1)
  }

  @Test(.enabled(if: OtherProcess.isThere, "sqlite3 is not installed"))
  func aStoreInUseIsLeftAsItIs() throws {
    try leaveAKilledStore()
    let other = try OtherProcess(reading: place)
    defer { other.end() }
    let error = #expect(throws: StoreError.self) {
      try ReceiptStore(path: copy, access: .readOnly).restore(to: place, replacing: true)
    }
    #expect(error?.description.contains("another program has it open") == true, "\(error?.description ?? "")")
    #expect(try receipts(place) == 150)
  }

  @Test func aStoreInUseHereIsLeftAsItIs() throws {
    let store = try ReceiptStore(path: place)
    #expect(throws: StoreError.self) {
      try ReceiptStore(path: copy, access: .readOnly).restore(to: place, replacing: true)
    }
    #expect(try store.status(at: day(1)).receipts == 0)
    #expect(throws: StoreError.self) {
      try ReceiptStore(path: copy, access: .readOnly).restore(to: copy, replacing: true)
    }
  }

  /// The journal is applied to the store it belongs to, never to the copy.
  @Test func rollsBackAnInterruptedTransaction() throws {
    let living = folder.file("living.sqlite")
    try FileManager.default.copyItem(atPath: copy, toPath: living)
    try leaveInterrupted(living, at: place)
    let kept = try ReceiptStore(path: copy, access: .readOnly).restore(to: place, replacing: true)
    #expect(kept?.hasSuffix("/place.sqlite.replaced") == true)
    for path in [place, place + ".replaced"] {
      #expect(access(path + "-journal", F_OK) != 0)
      #expect(try receipts(path) == 1)
    }
  }

  @Test func anUnreadableStoreStaysIfTheCopyIsDamaged() throws {
    let unreadable = Data("SQLite format 3 is gone".utf8)
    try #require(FileManager.default.createFile(atPath: place, contents: unreadable))
    chmod(place, 0o600)
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    try DatabaseQueue(path: copy, configuration: configuration).write {
      try $0.execute(sql: "INSERT INTO receipt_chains VALUES (9, 9, 9)")
    }
    let names = folder.names()
    let error = #expect(throws: StoreError.self) {
      try ReceiptStore(path: copy, access: .readOnly).restore(to: place, replacing: true)
    }
    #expect(error?.description.contains("copy.sqlite is damaged") == true, "\(error?.description ?? "")")
    #expect(FileManager.default.contents(atPath: place) == unreadable && folder.names() == names)
  }

  @Test func anUnreadableStoreIsReplaced() throws {
    try #require(
      FileManager.default.createFile(atPath: place, contents: Data("SQLite format 3 is gone".utf8)))
    chmod(place, 0o600)
    let kept = try ReceiptStore(path: copy, access: .readOnly).restore(to: place, replacing: true)
    #expect(try receipts(place) == 1)
    #expect(kept.flatMap { FileManager.default.contents(atPath: $0) } == Data("SQLite format 3 is gone".utf8))
  }
}
