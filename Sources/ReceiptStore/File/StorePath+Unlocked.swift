import Glibc

/// Stores where nothing can be written: SQLite needs to, even to read one in WAL mode.
extension StorePath {
  /// Whether the file is to be read without locks and without a log, since there is none and none can be made here.
  func mayBeReadUnlocked() throws(StoreError) -> Bool {
    guard let readOnlyReason else { return false }
    var about = stat()
    guard stat(log, &about) == 0, about.st_size > 0 else { return true }
    guard access(index, R_OK) == 0 else {
      throw StoreError(
        "nothing can be written to its folder (\(readOnlyReason)), and its log \(log) cannot be read without "
          + "\(index); copy it with its log to a folder that can be written to, and pass that --store")
    }
    return false
  }

  /// Tells SQLite that nobody writes to the file (https://www.sqlite.org/uri.html, `immutable`), which `OpenFile` watches.
  var unlockedURI: String {
    let plain = file.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"): "%" + String(byte, radix: 16)
      default: nil as String?
      }
    }
    var uri: [UInt8] = []
    for (byte, escaped) in zip(file.utf8, plain) { uri += escaped.map { Array($0.utf8) } ?? [byte] }
    return "file:" + String(decoding: uri, as: UTF8.self) + "?immutable=1"
  }
}
