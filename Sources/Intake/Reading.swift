/// What was read from one file: what is good, and what is wrong with the rest.
public struct Reading<Item: Sendable>: Sendable {
  public private(set) var items: [Item] = []
  /// The line of each item.
  public private(set) var lines: [Int] = []
  public var badLines: [BadLine] = []
  public internal(set) var remarks: [LineRemark: Int] = [:]

  mutating func take(_ item: Item, from line: Int) {
    items.append(item)
    lines.append(line)
  }

  mutating func bad(_ line: Int, _ reason: String) { badLines.append(BadLine(line: line, reason: reason)) }
}

/// A line that cannot be imported, with the reason in words that never quote a receipt or a secret.
public struct BadLine: Hashable, Sendable, CustomStringConvertible {
  /// 1 is the first line of the file.
  public var line: Int
  public var reason: String

  public var description: String { "line \(line): \(reason)" }
}
