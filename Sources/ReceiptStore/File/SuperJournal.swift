import Glibc

/// Check for a forged rollback journal.
///
/// SQLite uses the journal beside a file to undo an interrupted commit. The journal's end may name a
/// super-journal, the journal of a commit over several files, and SQLite deletes that file. So a forged
/// journal could delete any file of the user (https://www.sqlite.org/fileformat2.html, "The Rollback
/// Journal").
enum SuperJournal {
  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  /// Throws if the journal names a super-journal. Call this before SQLite opens the file. Stores use a
  /// write-ahead log, and this program never writes to several files in one commit.
  static func refuse(beside file: String) throws(StoreError) {
    let journal = file + "-journal"
    let descriptor = open(journal, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var about = stat()
    var end = [UInt8](repeating: 0, count: magic.count)
    guard fstat(descriptor, &about) == 0, about.st_size > magic.count,
      pread(descriptor, &end, end.count, about.st_size - end.count) == end.count, end == magic
    else { return }
    throw StoreError(
      "its journal \(journal) names another file, which SQLite would remove, and subtop makes no such journals; move it away, then "
        + "run `subtop status --check`")
  }
}
