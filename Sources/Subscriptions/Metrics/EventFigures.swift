/// The newest events of the window.
public struct EventFigures: Hashable, Sendable, Encodable {
  /// All of the window, also those that the limit leaves out of `rows`.
  public var count: Int
  public var rows: [LineEvent]

  public init(count: Int, rows: [LineEvent]) {
    self.count = count
    self.rows = rows
  }
}
