/// What a line holds, or what is wrong with it in words that never quote it.
public enum LineContent<Item: Sendable>: Sendable {
  case item(Item)
  case bad(String)
}

/// A kind of file that is read line by line, however large it is.
public protocol LineFormat: SendableMetatype {
  associatedtype Item: Sendable

  /// Reads a file to its end.
  ///
  /// - Parameter take: gets the number of each line that is not blank, with what it holds.
  static func read<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ take: (Int, LineContent<Item>) throws(Failure) -> Void
  ) throws(Failure)
}

extension LineFormat {
  /// Reads a file that is in memory.
  public static func read(_ bytes: [UInt8]) -> Reading<Item> {
    var lines = LineStream<Never>(bytes)
    var reading = Reading<Item>()
    read(&lines) { line, content in
      switch content {
      case .item(let item): reading.take(item, from: line)
      case .bad(let reason): reading.bad(line, reason)
      }
    }
    return reading
  }

  static var empty: LineContent<Item> { .bad("the file is empty") }

  static func tooLong(_ limit: Int) -> LineContent<Item> {
    .bad("it is longer than \(limit >> 20) MiB, which no receipt and no answer is")
  }
}
