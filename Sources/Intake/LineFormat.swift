import AppStore

/// What a line holds, or what is wrong with it in words that never quote it.
public enum LineContent<Item: Sendable>: Sendable {
  case item(Item)
  case bad(String)
  /// What is worth a count beside what is taken; also of a line that holds an item, before that.
  case remark(LineRemark)
}

/// A kind of file that is read line by line, however large it is.
public protocol LineFormat: SendableMetatype {
  associatedtype Item: Sendable

  /// As `subtop import` calls it.
  static var name: String { get }
  /// What it holds, as a sentence says it.
  static var what: String { get }

  /// Reads what is known to be text to its end.
  ///
  /// - Parameter take: gets the place of each line that is not blank, with what it holds.
  static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ take: (LinePlace, LineContent<Item>) throws(Failure) -> Void
  ) throws(Failure)
}

extension LineFormat {
  public static var what: String { name }

  /// Reads a file to its end, or says what it is instead.
  ///
  /// - Parameter take: gets the place of each line that is not blank, with what it holds.
  public static func read<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ take: (LinePlace, LineContent<Item>) throws(Failure) -> Void
  ) throws(Failure) {
    if let other = OtherFormat(beginning: try lines.beginning()) {
      return try take(.first, .bad(other.sentence(importing: name, of: what)))
    }
    try readText(&lines, take)
  }

  /// Reads a file that is in memory.
  public static func read(_ bytes: [UInt8]) -> Reading<Item> {
    var lines = LineStream<Never>(bytes)
    var reading = Reading<Item>()
    read(&lines) { place, content in
      switch content {
      case .item(let item): reading.take(item, from: place.number)
      case .bad(let reason): reading.bad(place.number, reason)
      case .remark(let remark): reading.remarks[remark, default: 0] += 1
      }
    }
    return reading
  }

  static var empty: LineContent<Item> { .bad("the file is empty") }
}

extension LineStream.Line {
  /// Why it is not read.
  var reasonOfLength: String {
    if let blanks {
      return "nothing but white space follows for \(blanks >> 20) MiB; what comes after it was not read"
    }
    let limit = "it is longer than \(FieldLimits.line >> 20) MiB, which no receipt and no answer is"
    return isEnd ? limit + "; what comes after it was not read" : limit
  }
}
