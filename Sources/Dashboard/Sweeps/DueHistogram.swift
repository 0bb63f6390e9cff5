import Screen
import Subscriptions

/// Chart of the receipts that come due in each of the next hours.
struct DueHistogram: Hashable, Sendable {
  var hours: [Int]
  var from: Instant
  var zone: Zone

  private static let barRows = 4
  static let rows = barRows + 1
  /// Hours between two times on the clock.
  private static let tick = 6
  private static let widestHour = 7

  /// Three columns for each hour, one of them blank.
  var naturalColumns: Int { max(24, hours.count) * 3 }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let width = max(1, min(Self.widestHour, rect.columns / max(1, hours.count)))
    let values = hours.flatMap { count in
      // An hour without receipts has no bar; the smallest number still has a visible one.
      [Double?](repeating: count > 0 ? Double(count) : nil, count: width > 2 ? width - 1 : width)
        + (width > 2 ? [nil] : [])
    }
    canvas.within(rect) { canvas in
      var room = canvas.bounds
      var bars = room.cutTop(Self.barRows)
      bars = bars.cutLeft(values.count)
      Sparkline(values, .accent).draw(on: &canvas, in: bars)
      for hour in stride(from: 0, to: hours.count, by: Self.tick) {
        let clock = zone.clock(from + Int64(hour) * Milliseconds.hour)
        canvas.put(clock, column: hour * width, row: room.row, .dim)
      }
    }
  }
}
