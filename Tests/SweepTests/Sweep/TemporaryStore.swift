import Glibc
import ReceiptStore
import Subscriptions

/// A store in a folder of its own, gone with the last reference.
final class TemporaryStore {
  let store: ReceiptStore
  private let folder: String

  init() throws {
    var template = Array("/tmp/subtop-sweep-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CannedServerError(call: "mkdtemp", code: errno) }
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    store = try ReceiptStore(path: folder + "/store.sqlite")
  }

  deinit {
    for suffix in ["", "-wal", "-shm"] { unlink(folder + "/store.sqlite" + suffix) }
    rmdir(folder)
  }
}
