import Foundation
import GRDB
import Glibc
import ReceiptStore
import TestSupport
import Testing

@Suite struct StorePathTests {
  struct Place: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var says: String
    var kind: StoreError.Kind = .notPermitted
    var access = StoreAccess.readWrite
    /// Prepares a folder that has a store, and returns the path to open.
    var make: @Sendable (TemporaryFolder, String) throws -> String
  }

  private static func changed(_ mode: mode_t) -> @Sendable (TemporaryFolder, String) throws -> String {
    { _, store in
      chmod(store, mode)
      return store
    }
  }

  private static let places = [
    Place(testDescription: "a FIFO", says: "it is a FIFO", kind: .unusable) { folder, _ in
      mkfifo(folder.file("fifo"), 0o600)
      return folder.file("fifo")
    },
    Place(testDescription: "a FIFO, to read", says: "it is a FIFO", kind: .unusable, access: .readOnly) {
      folder, _ in
      mkfifo(folder.file("fifo"), 0o600)
      return folder.file("fifo")
    },
    Place(testDescription: "a device", says: "it is a device", kind: .unusable) { _, _ in "/dev/null" },
    Place(testDescription: "a link to a device", says: "it is a device", kind: .unusable) { folder, _ in
      symlink("/dev/full", folder.file("link"))
      return folder.file("link")
    },
    Place(testDescription: "a link to nothing", says: "/nothing, which does not exist", kind: .missing) {
      folder, _ in
      symlink(folder.file("nothing"), folder.file("link"))
      return folder.file("link")
    },
    Place(testDescription: "two names", says: "it has 2 hard links", kind: .unusable) { folder, store in
      link(store, folder.file("snapshot.sqlite"))
      return store
    },
    Place(testDescription: "others may write", says: "chmod go-w", make: changed(0o602)),
    Place(
      testDescription: "others may write, to read", says: "chmod go-w", access: .readOnly,
      make: changed(0o602)),
    Place(testDescription: "everybody may read", says: "run `chmod 600", make: changed(0o604)),
    Place(testDescription: "the folder is everybody's", says: "; run `chmod go-w") { folder, store in
      chmod(folder.path, 0o777)
      return store
    },
    Place(testDescription: "a new one in everybody's folder", says: "; run `chmod go-w") { folder, _ in
      chmod(folder.path, 0o772)
      return folder.file("new.sqlite")
    },
    Place(testDescription: "everybody's folder further up", says: "; run `chmod go-w") { folder, _ in
      chmod(folder.path, 0o707)
      return folder.file("deep/er/new.sqlite")
    },
    Place(testDescription: "a log that is a link", says: "-wal is not a regular file; if it is a link") {
      folder, store in
      unlink(store + "-wal")
      symlink(folder.file("elsewhere"), store + "-wal")
      return store
    },
    Place(testDescription: "a log without its file", says: "exists without it", kind: .unusable) {
      folder, store in
      rename(store, folder.file("moved"))
      try Data("a log".utf8).write(to: URL(filePath: store + "-wal"))
      return store
    },
    Place(testDescription: "a log that others may write", says: "-wal; run `chmod go-w") { _, store in
      close(open(store + "-wal", O_CREAT | O_WRONLY, 0o600))
      chmod(store + "-wal", 0o666)
      return store
    },
    Place(
      testDescription: "empty, of which none is made", says: "it is empty", kind: .unusable, access: .existing
    ) {
      folder, _ in
      close(open(folder.file("empty"), O_CREAT | O_WRONLY, 0o600))
      return folder.file("empty")
    },
    Place(
      testDescription: "none, of which none is made", says: "does not exist", kind: .missing,
      access: .existing
    ) {
      folder, _ in folder.file("none")
    },
  ]

  @Test(arguments: places)
  func isRefusedUnchanged(_ place: Place) throws {
    let folder = TemporaryFolder()
    let store = folder.file("store.sqlite")
    _ = try ReceiptStore(path: store)
    let path = try place.make(folder, store)
    let (names, before) = (folder.names(), about(path))
    let error = #expect(throws: StoreError.self) { try ReceiptStore(path: path, access: place.access) }
    #expect(error?.description.contains(place.says) == true, "\(error?.description ?? "")")
    #expect(error?.kind == place.kind)
    #expect(about(path) == before)
    // A missing folder may have been created.
    #expect(folder.names().filter { $0 != "deep" } == names)
    chmod(folder.path, 0o700)
  }

  private func about(_ path: String) -> [Int64]? {
    var about = stat()
    guard stat(path, &about) == 0 else { return nil }
    return [Int64(about.st_mode), Int64(about.st_size), Int64(about.st_mtim.tv_sec)]
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file to another group"))
  func noGroupButTheOwnersOwnMayWrite() throws {
    let folder = TemporaryFolder()
    let path = folder.file("store.sqlite")
    _ = try ReceiptStore(path: path)
    chmod(path, 0o660)
    chmod(folder.path, 0o770)
    _ = try ReceiptStore(path: path)
    chown(path, .max, 54_321)
    let error = #expect(throws: StoreError.self) { try ReceiptStore(path: path) }
    #expect(error?.kind == .notPermitted)
  }

  /// Errors of other libraries may quote stored data, so their text is not shown.
  @Test func errorsOfOtherLibrariesAreNotQuoted() {
    struct Foreign: Error, CustomStringConvertible { let description = "MIIreceipt" }
    let said = StoreError("open the store", at: "/s", Foreign()).description
    #expect(said.contains("its files changed") && said.contains("Foreign") && !said.contains("MIIreceipt"))
  }

  @Test func aGroupMayRead() throws {
    let folder = TemporaryFolder()
    let path = folder.file("store.sqlite")
    _ = try ReceiptStore(path: path)
    chmod(path, 0o640)
    _ = try ReceiptStore(path: path)
    #expect(about(path)?[0] == Int64(S_IFREG | 0o640), "what its owner gave the group stays")
  }

  /// The log must be beside the target of a link, where other processes look for it.
  @Test func aLinkIsFollowed() throws {
    let folder = TemporaryFolder()
    mkdir(folder.file("disk"), 0o700)
    let store = try ReceiptStore(path: folder.file("disk/store.sqlite"))
    symlink(folder.file("disk/store.sqlite"), folder.file("link"))
    let other = try ReceiptStore(path: folder.file("link"))
    #expect(other.log == store.log)
    #expect(folder.names() == ["disk", "link"])
  }

  /// SQLite must sync every commit, to survive a power cut.
  @Test func everyCommitIsSynced() throws {
    let folder = TemporaryFolder()
    _ = try ReceiptStore(path: folder.file("store.sqlite"))
    let path = try StorePath(folder.file("store.sqlite"), .existing)
    let pool = try StoreConnections(path, waiting: { _ in false }).openForWriting()
    let level = try pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    #expect(level == 2, "2 is FULL")
  }

  @Test(arguments: [
    ("nfs", true), ("nfs4", true), ("cifs", true), ("smb3", true), ("ceph", true), ("fuse.sshfs", true),
    ("fuse.rclone", true), ("9p", true), ("virtiofs", true), ("vboxsf", true), ("fuse.vmhgfs-fuse", true),
    ("fuse.grpcfuse", true), ("lustre", true), ("ext4", false), ("xfs", false), ("btrfs", false),
    ("zfs", false),
    ("overlay", false),
    ("tmpfs", false), ("fuseblk", false), ("fuse.gocryptfs", false),
  ])
  func recognisesNetworkFileSystems(_ type: String, _ isShared: Bool) {
    #expect(NetworkFileSystem.contains(type) == isShared)
  }

  @Test func theMountsOfThisMachineAreRead() {
    #expect(NetworkFileSystem.type(of: "/proc") == "proc")
    #expect(NetworkFileSystem.type(of: "/proc/nothing") == nil)
  }
}
