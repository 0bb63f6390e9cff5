/// A progress bar with a caption on the right.
public struct Gauge: Sendable {
  /// 0 to 1; `nil` while the total is unknown, which draws an empty track.
  public var fraction: Double?
  public var caption: StyledText
  public var style: Style

  public init(_ fraction: Double?, caption: StyledText = "", _ style: Style = .accent) {
    self.fraction = fraction
    self.caption = caption
    self.style = style
  }

  /// Draws on the first row of the rectangle. If it is narrow, the caption is omitted.
  public func draw(on canvas: inout Canvas, in rect: Rect) {
    let width = caption.width(in: canvas.glyphs)
    canvas.within(rect) { canvas in
      var rest = canvas.bounds
      if width > 0, rest.columns >= width + 1 + 4 {
        let room = rest.cutRight(width)
        _ = rest.cutRight(1)
        canvas.put(caption, column: room.column, row: 0)
      }
      canvas.bar(fraction ?? 0, column: 0, row: 0, columns: rest.columns, style, track: true)
    }
  }
}
