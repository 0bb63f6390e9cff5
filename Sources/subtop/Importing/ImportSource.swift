import Glibc

/// Input of an import, which may be read twice: to find bad lines, and to import it.
final class ImportSource {
  let name: String
  private let path: String
  private let folder: String
  private var descriptor: Int32 = -1
  /// Descriptor of an unlinked copy of standard input or a pipe, which cannot be read twice; -1 for a file.
  private var spool: Int32 = -1
  private var start: off_t = 0
  private var place = 0
  /// Size from the first pass, which the second must match.
  private var size: Int?
  private var content: [UInt8]?

  private static let pieceSize = 1 << 18

  /// - Parameter folder: Folder for a copy of a pipe's content, beside the store, which needs similar space.
  init(_ path: String, folder: String) {
    (self.path, self.folder) = (path, folder)
    name = path == "-" ? "standard input" : path
  }

  init(_ content: [UInt8], named name: String) {
    (self.content, self.name, path, folder, size) = (content, name, "", "", content.count)
  }

  /// Size of a file in bytes; `nil` for a pipe.
  var expectedSize: Int? {
    var status = stat()
    if let content { return content.count }
    let found = path == "-" ? fstat(STDIN_FILENO, &status) : stat(path, &status)
    return found == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  func begin() throws(Failure) {
    place = 0
    guard spool < 0, content == nil else { return }
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw trouble }
    guard size == nil else { return }
    guard status.st_mode & S_IFMT != S_IFREG else {
      start = max(lseek(descriptor, 0, SEEK_CUR), 0)
      return
    }
    // mkstemp uses mode 0600.
    var template = Array("\(folder)/.subtop-import-XXXXXX".utf8CString)
    spool = mkstemp(&template)
    guard spool >= 0 else { throw spoolTrouble }
    _ = fcntl(spool, F_SETFD, FD_CLOEXEC)
    unlink(template)
  }

  func more() throws(Failure) -> [UInt8] {
    if let content {
      defer { place = content.count }
      return place == 0 ? content : []
    }
    let wanted = min(Self.pieceSize, size.map { $0 - place } ?? Self.pieceSize)
    guard wanted > 0 else { return [] }
    let bytes = try read(wanted)
    guard !bytes.isEmpty || size == nil else { throw Self.changed(name) }
    place += bytes.count
    if size == nil, spool >= 0, !Standard.write(bytes, to: spool) { throw spoolTrouble }
    return bytes
  }

  func end() {
    size = size ?? place
    if descriptor > STDIN_FILENO { close(descriptor) }
    descriptor = -1
  }

  static func changed(_ name: String) -> Failure {
    Failure(.badData, "\(name) changed during the import; nothing more was imported, try again")
  }

  private func read(_ wanted: Int) throws(Failure) -> [UInt8] {
    while true {
      var count = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { room, filled in
        count =
          spool >= 0 && size == nil
          ? Glibc.read(descriptor, room.baseAddress, wanted)
          : pread(spool >= 0 ? spool : descriptor, room.baseAddress, wanted, start + off_t(place))
        filled = max(count, 0)
      }
      if count >= 0 { return bytes }
      guard errno == EINTR else { throw trouble }
    }
  }

  private var trouble: Failure {
    guard path == "-" else {
      return Failure(
        .noInput, "cannot read \(path): \(errorText()); pass a readable file, or - for standard input"
      )
    }
    let reason = errno == EBADF ? "it is closed" : errorText()
    return Failure(
      .noInput, "cannot read standard input: \(reason); redirect a file or a pipe to it, or pass a file")
  }

  private var spoolTrouble: Failure {
    Failure(.store, "cannot copy the input to \(folder) to read it twice: \(errorText())")
  }
}
