import Dashboard
import Files
import FoundationEssentials
import Logging

/// What the dashboard remembers: `$XDG_STATE_HOME/subtop/dashboard.json`. It is worth nothing to anybody but its owner, so one
/// that cannot be read, or that others may write, is as none, and one that cannot be written is noted in the log alone.
struct RememberedFile {
  private static let name = "dashboard.json"

  /// Nil where there is none to be.
  let folder: String?

  func read() -> Remembered {
    guard let folder, let bytes = try? TrustedFile.state.bytes(at: "\(folder)/\(Self.name)") else {
      return Remembered()
    }
    return (try? JSONDecoder().decode(Remembered.self, from: Data(bytes))) ?? Remembered()
  }

  /// By rename, so that another dashboard never reads half of it.
  func write(_ remembered: Remembered) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    guard let folder, let data = try? encoder.encode(remembered) else { return }
    do throws(FileProblem) {
      try OwnFolder(making: folder).replace(Self.name, with: Array(data))
    } catch {
      Logger.subtop.notice("cannot remember what the dashboard shows: \(error)")
    }
  }
}
