/// Rollback journal of a commit over several databases, naming a super-journal that SQLite deletes.
public enum NamingJournal {
  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  /// Returns a journal without pages for a database of `size` bytes whose pages have 4,096 bytes.
  public static func bytes(naming victim: String, size: Int) -> [UInt8] {
    var bytes = magic + [0, 0, UInt32(size / 4096), 512, 4096].flatMap(bigEndian)
    bytes += Array(repeating: 0, count: 512 - bytes.count)
    let name = Array(victim.utf8)
    bytes += bigEndian(0x4000_0000 / 4096 + 1) + name + bigEndian(UInt32(name.count))
    return bytes + bigEndian(name.reduce(0) { $0 + UInt32($1) }) + magic
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian, Array.init)
  }
}
