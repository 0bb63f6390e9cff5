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

  /// - Parameter total: Number of bytes to read; `nil` if it is unknown.
  init(total: Int?) { self.total = total }

  func begin(_ work: String) {
    let now = stopwatch.elapsed
    state.withLock { $0 = State(work: work, begun: now) }
  }

  /// - Parameter read: Bytes read so far.
  func show(_ read: Int) {
    guard line.isTerminal else { return }
    line.show(words(read), share: total.map { $0 > 0 ? Double(read) / Double($0) : 1 })
  }

  /// Shows that indexes are being created.
  ///
  /// - Parameter index: Number of the next index, from 1.
  func show(index: Int, of count: Int) {
    guard line.isTerminal else { return }
    line.show("making indexes, \(index) of \(count)", share: Double(index - 1) / Double(count))
  }

  func end() { line.clear() }

  private func words(_ read: Int) -> String {
    let (work, rate) = state.withLock { ($0.work, $0.rate.take(read, at: stopwatch.elapsed - $0.begun)) }
    var parts = [
      total.map { "\(work) \(ByteText.of(read)) of \(ByteText.of($0))" } ?? "\(work) \(ByteText.of(read))"
    ]
    if let total, total > 0 { parts[0] += " (\(min(read, total) * 100 / total) %)" }
    parts.append("\(ByteText.of(Int(rate))) a second")
    if let total, rate > 0, read < total {
      parts.append("\(AgeText.of(Int64(Double(total - read) / rate * 1000))) left")
    }
    return parts.joined(separator: ", ")
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
