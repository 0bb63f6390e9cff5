import AppStore

/// Result of reading a line: an item, a remark, or the fault of a bad line, which never quotes the line.
public enum LineContent<Item: Sendable>: Sendable {
  case item(Item)
  case bad(String)
  /// Property of the line that the import counts; an item for the same line may follow.
  case remark(LineRemark)

  init(_ read: () throws(UnreadableAnswer) -> Item) {
    do throws(UnreadableAnswer) {
      self = .item(try read())
    } catch {
      self = .bad(error.reason)
    }
  }
}

/// File format that is read line by line, so that a file of any size can be imported.
public protocol LineFormat: SendableMetatype {
  associatedtype Item: Sendable

  /// Name of the format as an argument of `subtop import`.
  static var name: String { get }
  /// Name of the content for messages, such as "signed transactions".
  static var what: String { get }
  static var mayBeCompressed: Bool { get }

  /// - Parameter take: Receives each content with its line number; a line may have none or several.
  static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ take: (Int, LineContent<Item>) throws(Failure) -> Void
  ) throws(Failure)
}

extension LineFormat {
  public static var what: String { name }
  public static var mayBeCompressed: Bool { false }

  /// Reads a file; if its first bytes show another format than UTF-8 text, it yields one bad line.
  public static func read<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ take: (Int, LineContent<Item>) throws(Failure) -> Void
  ) throws(Failure) {
    if mayBeCompressed, try lines.beginning().starts(with: gzip) { lines.decompress() }
    if let fault = fault(ofBeginning: try lines.beginning()) { return try take(1, .bad(fault)) }
    try readText(&lines, take)
  }

  public static func read(_ bytes: [UInt8], named name: String = "") -> Reading<Item> {
    var lines = LineStream<Never>(bytes, named: name)
    var reading = Reading<Item>()
    read(&lines) { number, content in
      switch content {
      case .item(let item):
        reading.items.append(item)
        reading.lines.append(number)
      case .bad(let reason): reading.badLines.append(BadLine(line: number, reason: reason))
      case .remark(let remark): reading.remarks[remark, default: 0] += 1
      }
    }
    return reading
  }

  static var empty: LineContent<Item> { .bad("the file is empty") }

  private static var gzip: [UInt8] { [0x1F, 0x8B] }

  /// Returns the reason why a file with these first bytes is refused; `nil` if it may be UTF-8 text.
  private static func fault(ofBeginning bytes: ArraySlice<UInt8>) -> String? {
    func compressed(_ format: String, _ program: String) -> String {
      "it is compressed with \(format); run `\(program) FILE | subtop import \(name) -`"
    }
    func encoded(_ encoding: String) -> String {
      "it is text in \(encoding); run `iconv -f \(encoding) -t UTF-8 FILE | subtop import \(name) -`"
    }
    let beginnings: [([UInt8], String)] = [
      (gzip, compressed("gzip", "zcat")), ([0x28, 0xB5, 0x2F, 0xFD], compressed("zstd", "zstdcat")),
      ([0xFD] + Array("7zXZ\0".utf8), compressed("xz", "xzcat")),
      (Array("BZh".utf8), compressed("bzip2", "bzcat")),
      ([0x50, 0x4B, 0x03, 0x04], compressed("zip", "unzip -p")), ([0xFF, 0xFE, 0, 0], encoded("UTF-32")),
      ([0, 0, 0xFE, 0xFF], encoded("UTF-32")), ([0xFF, 0xFE], encoded("UTF-16")),
      ([0xFE, 0xFF], encoded("UTF-16")), (Array("%PDF-".utf8), "it is a PDF, not text with \(what)"),
      (Array("SQLite format 3\0".utf8), "it is an SQLite database, not text with \(what)"),
    ]
    if let found = beginnings.first(where: { bytes.starts(with: $0.0) }) { return found.1 }
    // Encodings without a byte order mark, recognized by the zero bytes around an ASCII character.
    let encodings: [([UInt8], String)] = [
      ([0, 0, 0, 1], "UTF-32BE"), ([1, 0, 0, 0], "UTF-32LE"), ([0, 1], "UTF-16BE"), ([1, 0], "UTF-16LE"),
    ]
    let zeros = bytes.map { min($0, 1) }
    return encodings.first { zeros.starts(with: $0.0) }.map { encoded($0.1) }
  }
}

/// Items and bad lines of one file, and how often each remark was made.
public struct Reading<Item: Sendable>: Sendable {
  public internal(set) var items: [Item] = []
  public internal(set) var lines: [Int] = []
  public internal(set) var badLines: [BadLine] = []
  public internal(set) var remarks: [LineRemark: Int] = [:]
}

/// Line that cannot be imported, with a reason that never quotes a receipt or a secret.
public struct BadLine: Hashable, Sendable, CustomStringConvertible {
  /// Line number, from 1.
  public var line: Int
  public var reason: String

  public var description: String { "line \(line): \(reason)" }
}

/// Property of a line that an import counts.
public enum LineRemark: Hashable, Sendable {
  case export(HostedExport)
  /// Row of another store, which is skipped.
  case otherStore(OtherStore)
  /// Event without a purchase, which is skipped.
  case noTransaction
  /// Row of the sandbox, which is imported.
  case sandbox
  case unknownColumn(String)
  case unknownEvent(String)
}
