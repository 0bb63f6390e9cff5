import Dashboard
import Sweep
import Synchronization

/// Progress of an import on standard error, if that is a terminal.
final class ImportMeter: Sendable {
  private let total: Int?
  private let line = ProgressLine()
  private let stopwatch = Stopwatch()
  private let state = Mutex(State())

  private struct State {
    var work = ""
    var begun: Int64 = 0
    var rate = RecentRate()
  }

  init(total: Int?) { self.total = total }

  func begin(_ work: String) {
    let now = stopwatch.elapsed
    state.withLock { $0 = State(work: work, begun: now) }
  }

  func show(_ read: Int) {
    guard line.isTerminal else { return }
    line.show(words(read), share: total.map { $0 > 0 ? Double(read) / Double($0) : 1 })
  }

  func show(index: Int, of count: Int) {
    guard line.isTerminal else { return }
    line.show("creating indexes, \(index) of \(count)", share: Double(index - 1) / Double(count))
  }

  func end() { line.clear() }

  private func words(_ read: Int) -> String {
    state.withLock { state in
      let words = state.rate.words(read, of: total, at: stopwatch.elapsed - state.begun, ByteText.of)
      return state.work + " " + words.joined(separator: ", ")
    }
  }
}

/// Formats a number of bytes, such as `3.4 GB`.
enum ByteText {
  static func of(_ bytes: Int) -> String {
    var (value, unit) = (Double(max(bytes, 0)), "B")
    for larger in ["kB", "MB", "GB", "TB"] where value >= 1000 { (value, unit) = (value / 1000, larger) }
    let tenths = Int((value * 10).rounded())
    return unit == "B" || tenths >= 1000
      ? "\(Int(value.rounded())) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
  }
}
