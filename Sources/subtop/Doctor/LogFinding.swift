import Files

/// Whether lines can be added to the log.
enum LogFinding {
  /// None where there is no log: the journal has it, or nobody has a home.
  static var all: [Finding] {
    guard !Journal.isStandardError, let folder = Environment.stateFolder else { return [] }
    do throws(FileProblem) {
      guard let path = try RotatingLog(folder: folder, name: LogFile.name, limit: LogFile.limit).existing()
      else {
        return []
      }
      return [.ok("log", "\(path) can be added to, and nobody else may write it")]
    } catch {
      return [.warning("log", "no log is written: \(error)")]
    }
  }
}
