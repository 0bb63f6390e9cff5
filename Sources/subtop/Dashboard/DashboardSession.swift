import Dashboard
import Files
import FoundationEssentials
import Logging
import ReceiptStore
import Screen
import Subscriptions
import Sweep
import Terminal

/// Session of the dashboard over one store, from opening the terminal to closing it.
struct DashboardSession: Sendable {
  var store: ReceiptStore
  var storeName: String
  var environment: EnvironmentScope
  var fixedAt: Instant?
  var program = SmallBusinessProgram.none
  var reporting: CurrencyCode?
  var alerts: AlertWatch?
  var isReadOnly: Bool
  var refreshSchedule: RefreshSchedule
  var keys = KeyMap.standard
  /// Environment variables with secrets, which custom commands do not inherit.
  var secretVariables: Set<String> = []
  var zones: [Zone]
  var terminal: TerminalOptions
  var themes = Theme.all
  var notes: [String] = []
  /// File of remembered settings; `nil` in the demo.
  var memory: RememberedFile?
  var guide: Guide?
  var now: @Sendable () -> Instant
  var makeSweep: @Sendable (SweepSelection, @escaping Sweep.Watcher) throws -> Sweep
  /// Listener for notifications, or the error that prevents it; `nil` if the dashboard does not listen.
  var listener: Result<BackgroundListener?, Failure>
}

/// File of the dashboard's remembered settings, `$XDG_STATE_HOME/subtop/dashboard.json`; it is ignored if it
/// is unreadable, or if other users can write it.
struct RememberedFile {
  private static let name = "dashboard.json"

  /// Folder of the file; `nil` if no home directory is known, so that nothing is stored.
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
      Logger.subtop.notice("cannot save the dashboard's settings: \(error)")
    }
  }
}
