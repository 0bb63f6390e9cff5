import Glibc

/// Opens inputs: a file, a pipe or a terminal, but no source of endless bytes.
enum InputDescriptor {
  /// Seconds to wait for a pipe's writer.
  private static let patience = 30

  /// - Returns: An open descriptor; for `-`, that of standard input.
  static func open(_ path: String) throws(Failure) -> Int32 {
    // Without O_NONBLOCK, opening a pipe without a writer would block before its type can be checked.
    let descriptor =
      path == "-" ? STDIN_FILENO : Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      throw unreadable(path)
    }
    do throws(Failure) {
      try check(status, descriptor, path)
      guard path != "-" else { return descriptor }
      if status.st_mode & S_IFMT == S_IFIFO { try awaitWriter(descriptor, path) }
      let flags = fcntl(descriptor, F_GETFL)
      _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK)
      return descriptor
    } catch {
      if path != "-" { close(descriptor) }
      throw error
    }
  }

  /// Creates a failure from `errno`.
  static func unreadable(_ path: String) -> Failure {
    guard path == "-" else {
      return Failure(
        .noInput, "cannot read \(path): \(errorText()); pass a file that can be read, or - for standard input"
      )
    }
    let reason = errno == EBADF ? "it is closed" : errorText()
    return Failure(
      .noInput, "cannot read standard input: \(reason); redirect a file or a pipe to it, or pass a file")
  }

  private static func check(_ status: stat, _ descriptor: Int32, _ path: String) throws(Failure) {
    let name = path == "-" ? "standard input" : path
    switch status.st_mode & S_IFMT {
    case S_IFREG, S_IFIFO, S_IFSOCK, S_IFDIR: return
    case S_IFCHR where isatty(descriptor) == 1 || isNull(status): return
    default:
      throw Failure(.noInput, "cannot read \(name): it is a device; pass a file, or - for a pipe")
    }
  }

  /// Whether it is `/dev/null`, which reads as an empty file.
  private static func isNull(_ status: stat) -> Bool {
    var null = stat()
    return stat("/dev/null", &null) == 0 && null.st_rdev == status.st_rdev
  }

  /// Throws for a regular file that blocks, such as `/proc/kmsg`: it belongs to the kernel and never ends.
  static func refuseWaiting(_ descriptor: Int32, _ name: String) throws(Failure) {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard Glibc.poll(&poll, 1, 0) == 0 else { return }
    throw Failure(
      .noInput,
      "cannot read \(name): it has its reader wait, as files of the kernel do; pass an ordinary file")
  }

  /// Reports that a pipe is empty so far, if it is.
  ///
  /// - Returns: Whether it was reported.
  static func sayWaiting(_ descriptor: Int32, _ name: String) -> Bool {
    guard isatty(descriptor) == 0 else { return false }
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard Glibc.poll(&poll, 1, Standard.isErrorTerminal ? 2_000 : Int32(patience) * 1_000) == 0 else {
      return false
    }
    Standard.note("waiting for \(name.harmless(in: Standard.glyphs)), which gives nothing yet; ^C ends it\n")
    return true
  }

  /// Waits for a writer, since a pipe without one reads as empty.
  private static func awaitWriter(_ descriptor: Int32, _ path: String) throws(Failure) {
    for tenth in 0..<(patience * 10) {
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let found = Glibc.poll(&poll, 1, 100)
      // There is data, or the writer has already gone.
      if found > 0 { return }
      var byte: UInt8 = 0
      if found == 0, Glibc.read(descriptor, &byte, 0) < 0, errno == EAGAIN { return }
      if tenth == 20, Standard.isErrorTerminal {
        Standard.note("waiting for somebody to write to \(path.harmless(in: Standard.glyphs)); ^C ends it\n")
      }
    }
    throw Failure(
      .noInput,
      "cannot read \(path): it is a pipe that nobody writes to; start what fills it, and try again")
  }
}
