import Dashboard
import Files
import FoundationEssentials
import Logging

/// File of the dashboard's remembered settings, `$XDG_STATE_HOME/subtop/dashboard.json`. A file that cannot
/// be read, or that other users can write, is ignored. If it cannot be written, that is only logged.
struct RememberedFile {
  private static let name = "dashboard.json"

  /// `nil` if nothing is stored.
  let folder: String?

  func read() -> Remembered {
    guard let folder, let bytes = try? TrustedFile.state.bytes(at: "\(folder)/\(Self.name)") else {
      return Remembered()
    }
    return (try? JSONDecoder().decode(Remembered.self, from: Data(bytes))) ?? Remembered()
  }

  /// Replaces the file by renaming, so that another dashboard never reads half of it.
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
