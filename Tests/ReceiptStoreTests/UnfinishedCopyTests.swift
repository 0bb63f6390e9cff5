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

  @Test func aStoreThatIsInUseIsNotReplacedByABackup() throws {
    let other = try store("other.sqlite", receipts: 1)
    let error = #expect(throws: StoreError.self) {
      try store("store.sqlite", receipts: 2).backUp(to: other.path, replacing: true)
    }
    #expect(error?.kind == .misused)
    #expect(try other.status(at: day(1)).receipts == 1)
  }
}
