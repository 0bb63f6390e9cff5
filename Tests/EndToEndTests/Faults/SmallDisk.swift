import Glibc

/// In-memory file system, unmounted with its last reference or at the end of this process.
final class SmallDisk: Sendable {
  let path: String
  private let folder: Folder
  private let keeper: Keeper

  static let isPermitted: Bool = {
    let isThere = (try? SmallDisk(megabytes: 1)) != nil
    if !isThere { print("SKIPPED: the tests of full and read-only disks, since mounts are not permitted") }
    return isThere
  }()

  init(megabytes: Int) throws {
    folder = try Folder()
    path = folder / "disk"
    mkdir(path, 0o700)
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m,mode=700") == 0 else {
      throw ProgramError.file(path, errno)
    }
    keeper = try Keeper(afterwards: "umount -l \"$0\"", [path])
  }

  deinit { umount2(path, Int32(MNT_DETACH)) }

  static func / (disk: SmallDisk, name: String) -> String { "\(disk.path)/\(name)" }

  private var filler: String { self / "filler" }

  func fill() throws {
    let descriptor = open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw ProgramError.file(filler, errno) }
    defer { close(descriptor) }
    let bytes = [UInt8](repeating: 0x2A, count: 4096)
    while write(descriptor, bytes, bytes.count) > 0 {}
  }

  func makeRoom() { unlink(filler) }

  func setReadOnly(_ isReadOnly: Bool) async throws {
    let flags = UInt(MS_REMOUNT) | (isReadOnly ? UInt(MS_RDONLY) : 0)
    // An ending or starting process of another test may briefly hold a file.
    try await soon("\(path) is not busy") { () -> Bool? in
      if mount("tmpfs", path, "tmpfs", flags, nil) == 0 { return true }
      guard errno == EBUSY else { throw ProgramError.file(path, errno) }
      return nil
    }
  }
}
