import Foundation
import Glibc
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// What killed backups and restores leave is cleared away by the next, and nothing else is.
@Suite struct UnfinishedCopyTests {
  private let folder = TemporaryFolder()
  private var copy: String { folder.file("copy.sqlite") }
  private var place: String { folder.file("place.sqlite") }

  private func store(_ name: String, receipts: Int) throws -> ReceiptStore {
    let store = try ReceiptStore(path: folder.file(name))
    _ = try store.add(
      (0..<receipts).map { ImportedReceipt(data: ReceiptData(trusted: "MII\($0)")) }, at: day(0))
    return store
  }

  private func receipts(_ path: String) throws -> Int {
    let status = try ReceiptStore(path: path, access: .existing).status(at: day(1), check: true)
    #expect(status.integrity == "ok")
    return status.receipts
  }

  private func make(_ name: String) { close(open(folder.file(name), O_CREAT | O_WRONLY, 0o600)) }

  @Test func whatKilledCopiesLeftGoesWithTheNext() throws {
    let store = try store("store.sqlite", receipts: 1)
    let left = [".copy.sqlite.subtop-aB3xY9", ".copy.sqlite.subtop-aB3xY9-journal"]
    let others = [
      ".copy.sqlite.subtop-aB3xY", ".copy.sqlite.subtop-aB3xY9z", ".copy.sqlite.subtop-aB3.Y9",
      ".copy.sqlite.backup",
      ".other.sqlite.subtop-aB3xY9", "copy.sqlite.subtop-aB3xY9",
    ]
    for name in left + others { make(name) }
    let linked = ".copy.sqlite.subtop-linked"
    symlink(folder.file("store.sqlite"), folder.file(linked))
    #expect(ReceiptStore.leftovers(beside: copy) == [folder.file(left[0])])
    try store.backUp(to: copy, replacing: false)
    let names = Set(folder.names())
    #expect(names.isDisjoint(with: left))
    #expect(names.isSuperset(of: others + [linked]))
    #expect(try receipts(copy) == 1)
  }

  @Test func aCopyInTheMakingStays() throws {
    let store = try store("store.sqlite", receipts: 1)
    let name = ".copy.sqlite.subtop-living"
    make(name)
    let lock = StoreLock(.exclusive, of: folder.file(name))
    defer { withExtendedLifetime(lock) {} }
    try store.backUp(to: copy, replacing: false)
    #expect(folder.names().contains(name))
    #expect(ReceiptStore.leftovers(beside: copy).isEmpty)
  }

  /// Not every file system exchanges two names at one stroke, and not every one refuses to replace.
  @Test func aStoreIsReplacedWhereNamesCannotBeExchanged() throws {
    try store("store.sqlite", receipts: 2).backUp(to: copy, replacing: false)
    _ = try store("place.sqlite", receipts: 5)
    let restored = try ReceiptStore(path: copy, access: .readOnly).restore(
      to: place, replacing: true, unfinished: UnfinishedCopy(renaming: FlaggedRename(isThere: false)))
    #expect(restored?.path.hasSuffix("/place.sqlite.replaced") == true)
    #expect(try receipts(place) == 2)
    #expect(try receipts(place + ".replaced") == 5)
    let error = #expect(throws: StoreError.self) {
      try ReceiptStore(path: place, access: .readOnly).backUp(
        to: copy, replacing: false, unfinished: UnfinishedCopy(renaming: FlaggedRename(isThere: false)))
    }
    #expect(error?.kind == .misused)
    let second = folder.file("second.sqlite")
    try ReceiptStore(path: place, access: .readOnly).backUp(
      to: second, replacing: false, unfinished: UnfinishedCopy(renaming: FlaggedRename(isThere: false)))
    #expect(try receipts(second) == 2)
    #expect(folder.names().filter { $0.hasPrefix(".") } == [])
  }

  @Test func aStoreThatIsInUseIsNotReplacedByABackup() throws {
    let other = try store("other.sqlite", receipts: 1)
    let error = #expect(throws: StoreError.self) {
      try store("store.sqlite", receipts: 2).backUp(to: other.path, replacing: true)
    }
    #expect(error?.kind == .misused)
    #expect(try other.status(at: day(1)).receipts == 1)
  }

  /// A restore that was killed between giving a store's log its second name and taking the first away.
  @Test func aLogThatIsKeptUnderAnotherNameIsNotInTheWay() throws {
    try store("store.sqlite", receipts: 2).backUp(to: place, replacing: false)
    try Data(repeating: 7, count: 9000).write(to: URL(fileURLWithPath: place + "-wal"))
    chmod(place + "-wal", 0o600)
    #expect(link(place + "-wal", place + ".replaced-wal") == 0)
    #expect(try receipts(place) == 2)
    #expect(try Data(contentsOf: URL(fileURLWithPath: place + ".replaced-wal")).count == 9000)
  }
}
