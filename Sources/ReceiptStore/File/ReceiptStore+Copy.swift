import Glibc

/// What may be restored.
extension ReceiptStore {
  /// Whether there is a file that may be a copy, said before it is opened as a store.
  public static func checkCopy(at path: String) throws(StoreError) {
    var about = stat()
    guard stat(path, &about) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else {
        throw StoreError(
          errno == EACCES ? .notPermitted : .unusable,
          "cannot restore \(path): \(errorText); pass the file that `backup` made")
      }
      throw StoreError(
        .missing, "cannot restore \(path): the copy is not there; pass the file that `backup` made")
    }
    guard about.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(
        .missing,
        "cannot restore \(path): it is \(StorePath.kind(of: about)), and a copy is a regular file; pass the file that "
          + "`backup` made")
    }
    // One that cannot be read is looked at further on.
    switch DatabaseHeader(of: path) {
    case .sqlite, .unreadable: break
    case .empty, .other:
      throw StoreError(
        "cannot restore \(path): it is not an SQLite file, which a copy is; pass the file that `backup` made")
    }
  }

  /// Another user may change his file while it is read, and what he put into it would be this user's store.
  func refuseForeignCopy() throws(StoreError) {
    guard place.owner != geteuid(), place.owner != 0 else { return }
    throw StoreError(
      .notPermitted,
      "the copy belongs to \(StorePermissions.name(of: place.owner)), who decides what is in it; if you trust him, copy it to "
        + "a file of your own with `cp`, and restore that")
  }
}
