import Glibc

/// What a sweep in the background asks of its threads: to stand behind those that a person waits for. On Linux libdispatch
/// makes nothing of a quality of service but threads of their own for each.
enum BackgroundThread {
  /// setpriority(2): about a tenth of the processor where somebody else wants all of it.
  static let niceness: Int32 = 10

  /// Puts the calling thread behind, for good: nobody may take that back without privileges.
  static func stepBack() {
    guard getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) < niceness else { return }
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
  }
}
