import Glibc

/// Sets access control lists as acl(5) has them, without the package of that name.
public enum AccessControlList {
  /// Whether the file system of the tests' folders knows them.
  public static let isKnown: Bool = {
    let folder = TemporaryFolder()
    return set(on: folder.path, letting: 54_321, 0o7)
  }()

  /// Lets a user do what the last bits of a mode say; the owner may do everything, and others and the group nothing.
  ///
  /// - Returns: whether the file system took it.
  @discardableResult
  public static func set(on path: String, letting user: UInt32, _ bits: UInt16) -> Bool {
    let nobody = UInt32.max
    let entries: [(tag: UInt16, bits: UInt16, id: UInt32)] = [
      (0x01, 7, nobody), (0x02, bits, user), (0x04, 0, nobody), (0x10, bits, nobody), (0x20, 0, nobody),
    ]
    var bytes = little(UInt32(2))
    for entry in entries { bytes += little(entry.tag) + little(entry.bits) + little(entry.id) }
    guard let symbol = dlsym(nil, "setxattr") else { return false }
    return unsafeBitCast(symbol, to: Call.self)(path, "system.posix_acl_access", bytes, bytes.count, 0) == 0
  }

  private static func little(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  /// Swift's Glibc leaves setxattr(2) out.
  private typealias Call =
    @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32) -> Int32
}
