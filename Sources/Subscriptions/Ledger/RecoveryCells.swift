/// Constants of the recovery panel (METRICS §5).
public enum Recovery {
  /// Days after the entry into billing retry at which curves have a point.
  public static let days = [1, 3, 7, 14, 30, 60]
  static let bands: [(from: Int, to: Int)] = [(0, 3), (3, 7), (7, 14), (14, 30), (30, 60)]
}

/// Consecutive intervals up to a question's instant (METRICS §5, Recovery).
///
/// Entries into billing retry within one interval count in the same figures if they have the same outcome.
struct RecoveryCells {
  let start: Instant
  /// Last instant of each interval, in order.
  let ends: [Instant]

  init(_ question: Question) {
    let (window, before) = (question.window, question.before.window)
    let farthest = Recovery.days.max() ?? 0
    start = before.from - Int64(farthest) * Milliseconds.day
    var ends = Set(window.stretchEnds)
    for days in [0] + Recovery.days {
      for t in [window.to, window.from, before.to, before.from] {
        ends.insert(t - Int64(days) * Milliseconds.day)
      }
    }
    let zone = question.length.zone
    for split in window.hasWeeks ? [MovementSplit.month, .week] : [.month] {
      let parts = MovementPart.stretches(of: window, by: split, in: zone)
      ends.formUnion(parts.map { $0.window(within: window, in: zone).to })
    }
    let start = start
    self.ends = ends.filter { $0 > start && $0 <= window.to }.sorted()
  }
}
