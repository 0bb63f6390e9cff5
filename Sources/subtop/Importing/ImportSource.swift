import Glibc

/// Input of an import, which may be read twice: to find bad lines, and to import it.
final class ImportSource {
  /// Name for messages.
  let name: String
  private let path: String
  private let folder: String
  private var spool: SpooledInput?
  private var descriptor: Int32 = -1
  /// Initial offset of standard input, if it is a file.
  private var start: off_t = 0
  private var place = 0
  /// Size from the first pass, which the second must match.
  private var size: Int?
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)

  /// - Parameter folder: Folder for spooled input.
  init(_ path: String, folder: String) {
    self.path = path
    self.folder = folder
    name = path == "-" ? "standard input" : path
  }

  deinit { end() }

  /// Size of a file in bytes; `nil` for a pipe.
  var expectedSize: Int? {
    var status = stat()
    let found = path == "-" ? fstat(STDIN_FILENO, &status) : stat(path, &status)
    return found == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  /// Begins the first or second pass.
  func begin() throws(Failure) {
    place = 0
    guard size == nil || spool == nil else { return }
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw trouble }
    if size == nil {
      if status.st_mode & S_IFMT == S_IFREG {
        start = max(lseek(descriptor, 0, SEEK_CUR), 0)
      } else {
        spool = try SpooledInput(in: folder)
      }
    }
  }

  /// Returns the next bytes; empty at the end.
  func more() throws(Failure) -> [UInt8] {
    let wanted = min(buffer.count, size.map { $0 - place } ?? buffer.count)
    guard wanted > 0 else { return [] }
    let count = try read(wanted)
    guard count > 0 || size == nil else { throw changed }
    let bytes = Array(buffer[..<count])
    place += count
    if size == nil { try spool?.append(bytes) }
    return bytes
  }

  /// Closes the file; `begin()` opens it again.
  func end() {
    size = size ?? place
    if descriptor > STDIN_FILENO { close(descriptor) }
    descriptor = -1
  }

  var changed: Failure {
    Failure(.badData, "\(name) changed while it was imported; nothing more was imported, try again")
  }

  private func read(_ wanted: Int) throws(Failure) -> Int {
    while true {
      let count = buffer.withUnsafeMutableBytes { buffer -> Int in
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
        guard let spool else { return pread(descriptor, room.baseAddress, wanted, start + off_t(place)) }
        return size == nil ? Glibc.read(descriptor, room.baseAddress, wanted) : spool.bytes(at: place, room)
      }
      if count >= 0 { return count }
      guard errno == EINTR else { throw trouble }
    }
  }

  /// Failure from `errno`.
  private var trouble: Failure {
    guard path == "-" else {
      return Failure(
        .noInput, "cannot read \(path): \(errorText()); pass a file that can be read, or - for standard input"
      )
    }
    let reason = errno == EBADF ? "it is closed" : errorText()
    return Failure(
      .noInput, "cannot read standard input: \(reason); redirect a file or a pipe to it, or pass a file")
  }
}

/// Copy of standard input or a pipe, which cannot be read twice, in an unlinked file.
final class SpooledInput {
  private let folder: String
  private let descriptor: Int32

  /// - Parameter folder: Folder for the file, beside the store, whose disk needs the space anyway.
  init(in folder: String) throws(Failure) {
    self.folder = folder
    // mkstemp uses mode 0600.
    var template = Array("\(folder)/.subtop-import-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw Self.trouble(folder) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(template)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func append(_ bytes: [UInt8]) throws(Failure) {
    guard Standard.write(bytes, to: descriptor) else { throw Self.trouble(folder) }
  }

  /// Copies bytes from an offset, and returns their number; 0 at the end.
  func bytes(at place: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    pread(descriptor, buffer.baseAddress, buffer.count, off_t(place))
  }

  private static func trouble(_ folder: String) -> Failure {
    Failure(.store, "cannot keep the input in \(folder) while it is read: \(errorText())")
  }
}
