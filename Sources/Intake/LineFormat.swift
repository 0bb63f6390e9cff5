import AppStore

/// Content of a line, or the reason why it is bad, which never quotes the line.
public enum LineContent<Item: Sendable>: Sendable {
  case item(Item)
  case bad(String)
  /// A remark to count. An item of the same line may follow.
  case remark(LineRemark)
}

/// A file format that is read line by line, regardless of the file's size.
public protocol LineFormat: SendableMetatype {
  associatedtype Item: Sendable

  /// Name in `subtop import`.
  static var name: String { get }
  /// Name of the content in messages.
  static var what: String { get }

  /// Reads a text file to its end.
  ///
  /// - Parameter take: receives the number and the content of each line that is not blank.
  static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ take: (Int, LineContent<Item>) throws(Failure) -> Void
  ) throws(Failure)
}

extension LineFormat {
  public static var what: String { name }

  /// Reads a file to its end. A file that is not text is reported as one bad line.
  ///
  /// - Parameter take: receives the number and the content of each line that is not blank.
  public static func read<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ take: (Int, LineContent<Item>) throws(Failure) -> Void
  ) throws(Failure) {
    if let other = OtherFormat(beginning: try lines.beginning()) {
      return try take(1, .bad(other.sentence(importing: name, of: what)))
    }
    try readText(&lines, take)
  }

  public static func read(_ bytes: [UInt8]) -> Reading<Item> {
    var lines = LineStream<Never>(bytes)
    var reading = Reading<Item>()
    read(&lines) { number, content in
      switch content {
      case .item(let item): reading.take(item, from: number)
      case .bad(let reason): reading.bad(number, reason)
      case .remark(let remark): reading.remarks[remark, default: 0] += 1
      }
    }
    return reading
  }

  static var empty: LineContent<Item> { .bad("the file is empty") }
}

extension LineStream.Line {
  var reasonOfLength: String {
    if let blanks {
      return "nothing but white space follows for \(blanks >> 20) MiB; what comes after it was not read"
    }
    let limit = "it is longer than \(FieldLimits.line >> 20) MiB, which no receipt and no answer is"
    return isEnd ? limit + "; what comes after it was not read" : limit
  }
}

/// Items and bad lines of one file.
public struct Reading<Item: Sendable>: Sendable {
  public private(set) var items: [Item] = []
  /// Line of each item.
  public private(set) var lines: [Int] = []
  public var badLines: [BadLine] = []
  public internal(set) var remarks: [LineRemark: Int] = [:]

  mutating func take(_ item: Item, from line: Int) {
    items.append(item)
    lines.append(line)
  }

  mutating func bad(_ line: Int, _ reason: String) { badLines.append(BadLine(line: line, reason: reason)) }
}

/// A line that cannot be imported. The reason never quotes a receipt or a secret.
public struct BadLine: Hashable, Sendable, CustomStringConvertible {
  /// Line number, from 1.
  public var line: Int
  public var reason: String

  public var description: String { "line \(line): \(reason)" }
}

/// Format of a file that is not text, recognized by its first bytes.
enum OtherFormat {
  /// Compression, and the program that extracts the text.
  case compressed(String, by: String)
  /// Text in another encoding than UTF-8, by its name for iconv.
  case encoded(String)
  case other(String)

  private static let beginnings: [(bytes: [UInt8], format: OtherFormat)] = [
    ([0x1F, 0x8B], .compressed("gzip", by: "zcat")),
    ([0x28, 0xB5, 0x2F, 0xFD], .compressed("zstd", by: "zstdcat")),
    ([0xFD] + Array("7zXZ\0".utf8), .compressed("xz", by: "xzcat")),
    (Array("BZh".utf8), .compressed("bzip2", by: "bzcat")),
    ([0x50, 0x4B, 0x03, 0x04], .compressed("zip", by: "unzip -p")),
    ([0xFF, 0xFE, 0, 0], .encoded("UTF-32")),
    ([0, 0, 0xFE, 0xFF], .encoded("UTF-32")),
    ([0xFF, 0xFE], .encoded("UTF-16")),
    ([0xFE, 0xFF], .encoded("UTF-16")),
    (Array("%PDF-".utf8), .other("a PDF")),
    (Array("SQLite format 3\0".utf8), .other("an SQLite database")),
  ]

  /// Encodings without a byte order mark, with the zero bytes of an ASCII character at the start.
  private static let encodings: [(zeros: [UInt8], name: String)] = [
    ([0, 0, 0, 1], "UTF-32BE"), ([1, 0, 0, 0], "UTF-32LE"), ([0, 1], "UTF-16BE"), ([1, 0], "UTF-16LE"),
  ]

  /// `nil` if the file may be text.
  init?(beginning: ArraySlice<UInt8>) {
    if let found = Self.beginnings.first(where: { beginning.starts(with: $0.bytes) }) {
      self = found.format
    } else if let found = Self.encodings.first(where: { beginning.map { min($0, 1) }.starts(with: $0.zeros) })
    {
      self = .encoded(found.name)
    } else {
      return nil
    }
  }

  func sentence(importing name: String, of what: String) -> String {
    switch self {
    case .compressed(let format, let program):
      "it is compressed with \(format); `\(program) FILE | subtop import \(name) -` reads it"
    case .encoded(let encoding):
      "it is text in \(encoding); `iconv -f \(encoding) -t UTF-8 FILE | subtop import \(name) -` reads it"
    case .other(let format): "it is \(format), not text with \(what)"
    }
  }
}

/// Property of a line that an import counts.
public enum LineRemark: Hashable, Sendable {
  case export(HostedExport)
  /// A row of another store, which is skipped.
  case otherStore(OtherStore)
  /// An event without a purchase, which is skipped.
  case noTransaction
  /// A row of the sandbox, which is imported.
  case sandbox
}
