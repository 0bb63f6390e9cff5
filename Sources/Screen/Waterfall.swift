/// Chart of the steps from one level to another, where each bar begins at the end of the previous bar.
///
/// If the levels are much larger than the steps, the axis begins above zero. Bars of levels are then cut, and
/// the caller prints the start of `axis`.
public struct Waterfall: Hashable, Sendable {
  public struct Step: Hashable, Sendable {
    public var label: TextSpan
    /// Level if `isLevel`, else the amount added to the end of the previous step.
    public var value: Double
    public var isLevel: Bool
    public var text: StyledText
    public var style: Style

    public init(_ label: TextSpan, _ value: Double, isLevel: Bool, text: StyledText, _ style: Style) {
      (self.label, self.value, self.isLevel) = (label, value.isFinite ? value : 0, isLevel)
      (self.text, self.style) = (text, style)
    }
  }

  public var steps: [Step]

  public init(_ steps: [Step]) { self.steps = steps }

  /// Least spread of the values, as a share of the greatest value, at which the axis begins at zero.
  private static let leastShare = 0.4

  /// Range of values that the axis covers, which may begin above or below zero.
  public var axis: ClosedRange<Double> {
    let ends = reaches.flatMap { [$0.from, $0.to] } + steps.filter(\.isLevel).map(\.value)
    guard let least = ends.min(), let most = ends.max(), most > least || most != 0 else {
      return 0...1
    }
    let spread = most - least
    guard least > 0, spread > 0, spread < most * Self.leastShare else {
      return min(0, least)...max(0, most)
    }
    // A round number, low enough that the bar of every level is visible.
    let step = Self.roundStep(spread / 4)
    return max(0, ((least - spread / 4) / step).rounded(.down) * step)...most
  }

  /// Returns the greatest number up to `most` that is 1, 2 or 5 times a power of ten.
  private static func roundStep(_ most: Double) -> Double {
    var power = 1.0
    while power * 10 <= most { power *= 10 }
    while power > most { power /= 10 }
    return [5, 2, 1].map { $0 * power }.first { $0 <= most } ?? power
  }

  /// Start and end of each step; a level starts and ends at its own value.
  private var reaches: [(from: Double, to: Double)] {
    var here = 0.0
    return steps.map { step in
      defer { here = step.isLevel ? step.value : here + step.value }
      return step.isLevel ? (step.value, step.value) : (here, here + step.value)
    }
  }

  private static let leastBar = 6

  public func naturalColumns(in glyphs: GlyphSet) -> Int { labels(in: glyphs) + values(in: glyphs) + 42 }

  private func labels(in glyphs: GlyphSet) -> Int {
    steps.map { TextWidth.of($0.label.text, in: glyphs) }.max() ?? 0
  }

  private func values(in glyphs: GlyphSet) -> Int { steps.map { $0.text.width(in: glyphs) }.max() ?? 0 }

  /// Draws one step per row; in a narrow area, bars disappear first, and then labels are cut.
  public func draw(on canvas: inout Canvas, in rect: Rect) {
    let (labels, values) = (labels(in: canvas.glyphs), values(in: canvas.glyphs))
    let axis = axis
    canvas.within(rect) { canvas in
      var rest = canvas.bounds
      let valueRoom = rest.cutRight(values)
      _ = rest.cutRight(1)
      let spare = rest.columns - 1 - Self.leastBar
      let labelRoom = rest.cutLeft(min(labels, spare < labels ? rest.columns : spare))
      _ = rest.cutLeft(1)
      for (row, (step, reach)) in zip(steps, reaches).enumerated() {
        canvas.put([step.label], column: 0, row: row, width: labelRoom.columns)
        canvas.put(step.text, column: valueRoom.column, row: row, width: valueRoom.columns, align: .right)
        guard rest.columns >= Self.leastBar else { continue }
        let bar = Rect(column: rest.column, row: row, columns: rest.columns, rows: 1)
        draw(
          step, from: step.isLevel ? max(0, axis.lowerBound) : reach.from, to: reach.to, axis, on: &canvas,
          in: bar
        )
      }
    }
  }

  /// Draws a bar, precise to half a cell in Unicode; a step other than zero has at least half a cell.
  private func draw(
    _ step: Step, from: Double, to: Double, _ axis: ClosedRange<Double>, on canvas: inout Canvas,
    in room: Rect
  ) {
    guard from != to, axis.upperBound > axis.lowerBound else { return }
    let halves = Double(room.columns * 2)
    func place(_ value: Double) -> Int {
      Int(
        (min(1, max(0, (value - axis.lowerBound) / (axis.upperBound - axis.lowerBound))) * halves).rounded())
    }
    var (first, end) = (place(min(from, to)), place(max(from, to)))
    if first == end { (first, end) = (min(first, Int(halves) - 1), min(first, Int(halves) - 1) + 1) }
    let glyphs = canvas.glyphs
    let full = glyphs.waterfall(step.isLevel ? nil : step.value > 0)
    for column in first / 2..<(end + 1) / 2 {
      let (left, right) = (column * 2 >= first, column * 2 + 1 < end)
      let glyph = left && right || glyphs.isASCII ? full : left ? glyphs.leftHalf : glyphs.rightHalf
      canvas.put(glyph, column: room.column + column, row: room.row, step.style, width: 1)
    }
    if step.isLevel, axis.lowerBound > 0, end > 4 {
      canvas.put(glyphs.cut, column: room.column + 1, row: room.row, .dim, width: 1)
    }
  }
}

extension GlyphSet {
  /// Returns the character of a full cell; in ASCII, it differs for a gain, a loss and a level (`nil`).
  fileprivate func waterfall(_ isGain: Bool?) -> String {
    guard isASCII, let isGain else { return growing.last ?? "#" }
    return isGain ? "+" : "-"
  }
}
