import Dashboard
import FoundationEssentials
import Glibc
import Logging

/// What the dashboard remembers: `$XDG_STATE_HOME/subtop/dashboard.json`. It is worth nothing to anybody but its owner, so one
/// that cannot be read is as none, and one that cannot be written is noted in the log alone.
struct RememberedFile {
  let path: String

  func read() -> Remembered {
    guard let bytes = InputFile.bytes(at: path) else { return Remembered() }
    return (try? JSONDecoder().decode(Remembered.self, from: Data(bytes))) ?? Remembered()
  }

  /// By rename, so that another dashboard never reads half of it.
  func write(_ remembered: Remembered) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    guard let data = try? encoder.encode(remembered) else { return }
    makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
    let draft = "\(path).\(getpid())"
    guard OutputFile.write(Array(data), to: draft, mayReplace: true) else { return note() }
    guard rename(draft, path) == 0 else {
      note()
      unlink(draft)
      return
    }
  }

  private func note() {
    Logger.subtop.notice("cannot write \(path): \(String(cString: strerror(errno)))")
  }
}
