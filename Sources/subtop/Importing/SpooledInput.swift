import Glibc

/// Spooled standard input or pipe, which cannot be read twice. The beginning is kept in memory, the rest in
/// an unlinked file.
final class SpooledInput {
  /// Maximum number of bytes in memory.
  private static let most = 1 << 20

  private let folder: String
  private var head: [UInt8] = []
  private var descriptor: Int32 = -1
  private var size = 0

  /// - Parameter folder: Folder for the file, beside the store, whose disk needs the space anyway.
  init(in folder: String) { self.folder = folder }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func append(_ bytes: [UInt8]) throws(Failure) {
    size += bytes.count
    guard descriptor >= 0 || head.count + bytes.count > Self.most else {
      head += bytes
      return
    }
    if descriptor < 0 { try makeFile() }
    guard Standard.write(bytes, to: descriptor) else { throw trouble }
  }

  /// Copies bytes from an offset, and returns their number; 0 at the end.
  func bytes(at place: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    if place < head.count {
      let piece = head[place...].prefix(buffer.count)
      buffer.copyBytes(from: piece)
      return piece.count
    }
    guard descriptor >= 0 else { return 0 }
    return pread(descriptor, buffer.baseAddress, buffer.count, off_t(place - head.count))
  }

  private func makeFile() throws(Failure) {
    // mkstemp uses mode 0600.
    var template = Array("\(folder)/.subtop-import-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw trouble }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(template)
  }

  private var trouble: Failure {
    Failure(.store, "cannot keep the input in \(folder) while it is read: \(errorText())")
  }
}
