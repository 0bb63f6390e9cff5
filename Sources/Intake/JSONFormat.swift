import AppStore

/// A kind of file whose lines are JSON values, or that is one value over as many lines as it likes.
public protocol JSONFormat: LineFormat {
  associatedtype Value
  /// What each value should be, as a sentence says it.
  static var one: String { get }

  static func value(_ text: [UInt8]) throws(UnreadableAnswer) -> Value
  static func content(of value: Value) -> LineContent<Item>
}

extension JSONFormat {
  public static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ take: (LinePlace, LineContent<Item>) throws(Failure) -> Void
  ) throws(Failure) {
    var isEmpty = true
    try JSONValues.read(&lines, canRead: { (try? value($0)) != nil }) { (line, text) throws(Failure) in
      isEmpty = false
      try take(line.place, text.map(content(ofText:)) ?? .bad(line.reasonOfLength))
    }
    if isEmpty { try take(.first, empty) }
  }

  /// Of one value, whose place is known.
  public static func content(ofText text: [UInt8]) -> LineContent<Item> {
    do throws(UnreadableAnswer) {
      return content(of: try value(text))
    } catch {
      return .bad("it is not \(one): \(error)")
    }
  }
}
