import Glibc

/// Pseudoterminal whose near end a `Terminal` opens, while the test uses the far end.
final class Pseudoterminal {
  let near: Int32
  let path: String
  private let far: Int32

  /// TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)).
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  struct Unavailable: Error {
    let step: String
  }

  init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
    // Equivalent of posix_openpt, unlockpt and ptsname, which Glibc's module hides without _GNU_SOURCE.
    far = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var lock: Int32 = 0
    var number: Int32 = 0
    guard far >= 0, ioctl(far, Self.setLock, &lock) == 0, ioctl(far, Self.getNumber, &number) == 0 else {
      throw Unavailable(step: "open /dev/ptmx")
    }
    path = "/dev/pts/\(number)"
    near = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard near >= 0 else { throw Unavailable(step: "open \(path)") }
    _ = fcntl(far, F_SETFL, O_NONBLOCK)
    resize(columns: columns, rows: rows)
  }

  deinit {
    Glibc.close(near)
    closeFarEnd()
  }

  private var isFarEndOpen = true

  func closeFarEnd() {
    guard isFarEndOpen else { return }
    isFarEndOpen = false
    Glibc.close(far)
  }

  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = withUnsafeMutablePointer(to: &size) { ioctl(far, UInt(TIOCSWINSZ), $0) }
  }

  /// Types a text and waits until the near end is readable, since the kernel passes bytes on asynchronously.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(far, bytes, bytes.count)
    var readable = pollfd(fd: near, events: Int16(POLLIN), revents: 0)
    poll(&readable, 1, 120_000)
  }

  func output() -> String {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while case let count = read(far, &block, block.count), count > 0 { bytes += block.prefix(count) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Settings of the line discipline that programs change.
  func modes() -> [UInt32] {
    var modes = termios()
    tcgetattr(near, &modes)
    let characters = withUnsafeBytes(of: modes.c_cc) { $0.map(UInt32.init) }
    return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag] + characters
  }
}
