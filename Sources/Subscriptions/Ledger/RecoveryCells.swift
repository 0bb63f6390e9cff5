/// Times by which recovery is told: METRICS §5.
public enum Recovery {
  /// Days after which a curve looks.
  public static let days = [1, 3, 7, 14, 30, 60]
  /// Days that lines in billing retry have been there.
  static let bands: [(from: Int, to: Int)] = [(0, 3), (3, 7), (7, 14), (14, 30), (30, 60)]
}

extension Window {
  /// Whether weeks are as many as a screen has room for: up to a quarter of a year.
  var isToldByWeek: Bool { days <= 92 }
}

/// Stretches of time, one after the other up to a question's instant, in each of which all that come to billing retry count in the same
/// figures but for what became of them: METRICS §5, Recovery.
struct RecoveryCells {
  /// The last instant before all of them.
  let start: Instant
  /// The last instant of each, in order of time.
  let ends: [Instant]

  init(_ question: Question) {
    let (window, before) = (question.window, question.before.window)
    let farthest = Recovery.days.max() ?? 0
    start = before.from - Int64(farthest) * Milliseconds.day
    var ends = Set(window.stretchEnds)
    for days in [0] + Recovery.days {
      for t in [window.to, window.from, before.from] { ends.insert(t - Int64(days) * Milliseconds.day) }
    }
    var month = CivilMonth(of: window.from).adding(months: 1)
    while month.start <= window.to, month.start != .distantFuture {
      ends.insert(month.start - 1)
      month = month.adding(months: 1)
    }
    if window.isToldByWeek {
      ends.formUnion(MovementPart.stretches(of: window, by: .week).map { $0.window(within: window).to })
    }
    let start = start
    self.ends = ends.filter { $0 > start && $0 <= window.to }.sorted()
  }
}
