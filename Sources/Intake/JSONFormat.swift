import AppStore
import Subscriptions

/// File format of JSON values: JSON Lines, or a single value over several lines.
public protocol JSONFormat: LineFormat {
  associatedtype Value
  /// Name of a value for messages, such as "a server notification".
  static var one: String { get }

  static func value(_ text: [UInt8]) throws(UnreadableAnswer) -> Value
  static func content(of value: Value) -> LineContent<Item>
}

extension JSONFormat {
  public static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ take: (Int, LineContent<Item>) throws(Failure) -> Void
  ) throws(Failure) {
    var isEmpty = true
    try JSONValues.read(&lines, canRead: { (try? value($0)) != nil }) { (line, text) throws(Failure) in
      isEmpty = false
      try take(line.number, text.map(content(ofText:)) ?? .bad(line.reasonOfLength))
    }
    if isEmpty { try take(1, empty) }
  }

  public static func content(ofText text: [UInt8]) -> LineContent<Item> {
    do throws(UnreadableAnswer) {
      return content(of: try value(text))
    } catch {
      return .bad("it is not \(one): \(error)")
    }
  }
}

private enum JSONValues {
  /// - Parameters:
  ///   - canRead: returns whether the bytes are a value of the format.
  ///   - take: receives the bytes of each value with its place; `nil` if the value is too long.
  static func read<Failure: Error>(
    _ lines: inout LineStream<Failure>, canRead: ([UInt8]) -> Bool,
    _ take: (LineStream<Failure>.Line, [UInt8]?) throws(Failure) -> Void
  ) throws(Failure) {
    guard let first = try lines.next() else { return }
    if !first.isTooLong, !isWhole(first.text[...]) {
      try readOver(&lines, first, canRead: canRead, take)
    } else {
      try take(first, first.isTooLong ? nil : first.text)
    }
    while let line = try lines.next() { try take(line, line.isTooLong ? nil : line.text) }
  }

  /// Reads a file whose first line is open at its end: a single value over several lines. If that cannot be
  /// read and a later line is an object, it is JSON Lines with a damaged first line.
  private static func readOver<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ first: LineStream<Failure>.Line, canRead: ([UInt8]) -> Bool,
    _ take: (LineStream<Failure>.Line, [UInt8]?) throws(Failure) -> Void
  ) throws(Failure) {
    var (value, whole, last) = (first.text, first, first.number)
    var overlong: LineStream<Failure>.Line?
    while overlong == nil, let line = try lines.next() {
      guard !line.isTooLong, value.count + line.text.count < LineStream<Failure>.limit else {
        overlong = line
        break
      }
      // The value keeps the blank lines of the file, so that the number of each line follows from it.
      value += repeatElement(0x0A, count: line.number - last) + line.text
      last = line.number
    }
    if overlong == nil, canRead(value) { return try take(whole, value) }
    let isJSONLines = overlong.map { isObject($0.text[...]) } ?? false || hasObject(value)
    guard isJSONLines else {
      // The rest of the file belongs to the value.
      while overlong != nil, let line = try lines.next() { whole.isEnd = whole.isEnd || line.isEnd }
      whole.isEnd = whole.isEnd || overlong?.isEnd == true
      return try take(whole, overlong == nil ? value : nil)
    }
    for (index, text) in value.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
    where text.contains(where: { !isBlank($0) }) {
      try take(.init(number: first.number + index, text: Array(text)), Array(text))
    }
    if let overlong { try take(overlong, overlong.isTooLong ? nil : overlong.text) }
  }

  /// Whether a line after the first is a complete object.
  private static func hasObject(_ lines: [UInt8]) -> Bool {
    var rest = lines.drop { $0 != 0x0A }
    while rest.popFirst() != nil {
      let line = rest.prefix { $0 != 0x0A }
      if isObject(line) { return true }
      rest = rest[line.endIndex...]
    }
    return false
  }

  private static func isObject(_ line: ArraySlice<UInt8>) -> Bool {
    line.first == UInt8(ascii: "{") && isWhole(line)
  }

  /// Whether a line has no open bracket or text at its end.
  private static func isWhole(_ line: ArraySlice<UInt8>) -> Bool {
    var depth = 0
    var (inText, isEscaped) = (false, false)
    for byte in line {
      if inText {
        (inText, isEscaped) = (
          isEscaped || byte != UInt8(ascii: "\""), !isEscaped && byte == UInt8(ascii: "\\")
        )
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): inText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    return depth <= 0 && !inText
  }
}

/// Stored answers of verifyReceipt: JSON Lines, or one JSON value over several lines.
public enum ResponsesFile: JSONFormat {
  public typealias Item = ImportedAnswer

  public static let name = "responses"
  public static let one = "an answer of verifyReceipt"

  public static func value(_ text: [UInt8]) throws(UnreadableAnswer) -> KeptResponse {
    try KeptResponse(decoding: text)
  }

  public static func content(of kept: KeptResponse) -> LineContent<ImportedAnswer> {
    let status = kept.response.status
    guard let answer = kept.ownAnswer else {
      return .bad("status \(status.rawValue) (\(status.text)) carries no data")
    }
    guard !answer.transactions.isEmpty || answer.bundleID != nil || answer.requestDate != nil else {
      return .bad("it holds neither a receipt nor a transaction")
    }
    return .item(
      ImportedAnswer(
        answer: answer, status: status.rawValue, appUserID: kept.appUserID, observedAt: kept.observedAt))
  }
}

/// Transactions and renewal infos signed by Apple, one a line, bare or in JSON.
public enum TransactionsFile: JSONFormat {
  public typealias Item = KeptSignedData

  public static let name = "transactions"
  public static let what = "signed transactions"
  public static let one = "a signed transaction"

  public static func value(_ text: [UInt8]) throws(UnreadableAnswer) -> KeptSignedData {
    try KeptSignedData(decoding: text)
  }

  public static func content(of kept: KeptSignedData) -> LineContent<KeptSignedData> { .item(kept) }
}

/// Server notifications of either version: JSON Lines, or one JSON value over several lines.
public enum NotificationsFile: JSONFormat {
  public typealias Item = NotificationLine

  public static let name = "notifications"
  public static let one = "a server notification"

  public static func value(_ text: [UInt8]) throws(UnreadableAnswer) -> NotificationBody {
    try NotificationBody(decoding: text)
  }

  public static func content(of body: NotificationBody) -> LineContent<NotificationLine> {
    .item(NotificationLine(body: body))
  }
}

/// Notification of an import file, with the result of its check.
public struct NotificationLine: Sendable {
  public let body: NotificationBody
  /// Result of the check by the caller; `nil` before it.
  public var checked: ReceivedNotification?
}
