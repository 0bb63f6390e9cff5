import AppStore
import Subscriptions

/// Format of files with JSON: one value per line, or a single value over several lines.
public protocol JSONFormat: LineFormat {
  associatedtype Value
  /// Name of a single value for messages, such as "a server notification".
  static var one: String { get }

  static func value(_ text: [UInt8]) throws(UnreadableAnswer) -> Value
  static func content(of value: Value) -> LineContent<Item>
}

extension JSONFormat {
  public static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ take: (Int, LineContent<Item>) throws(Failure) -> Void
  ) throws(Failure) {
    guard let first = try lines.next() else { return try take(1, empty) }
    if first.fault == nil, !isWhole(first.text) {
      try readOver(&lines, first, take)
    } else {
      try take(first.number, content(of: first))
    }
    while let line = try lines.next() { try take(line.number, content(of: line)) }
  }

  /// Reads a file whose first line ends inside a JSON value: a single value over several lines or, if a later
  /// line is an object, JSON Lines with a damaged first line.
  private static func readOver<Failure: Error>(
    _ lines: inout LineStream<Failure>, _ first: LineStream<Failure>.Line,
    _ take: (Int, LineContent<Item>) throws(Failure) -> Void
  ) throws(Failure) {
    var (text, last, isJSONLines) = (first.text, first.number, false)
    // First line that was not appended to `text`, because `text` would become too long or the line is bad.
    var next = try lines.next()
    while let line = next {
      isJSONLines = isJSONLines || isObject(line.text)
      guard line.fault == nil, text.count + line.text.count < LineStream<Failure>.limit else { break }
      // Keeps blank lines, so that line numbers can be computed from `text`.
      text += repeatElement(0x0A, count: line.number - last)
      text += line.text
      last = line.number
      next = try lines.next()
    }
    if next == nil, let value = try? value(text) { return try take(first.number, content(of: value)) }
    guard isJSONLines else {
      var fault: String?
      while let line = next {
        fault = line.fault ?? fault ?? LineStream<Failure>.tooLong
        next = try lines.next()
      }
      return try take(first.number, fault.map { .bad($0) } ?? content(ofText: text))
    }
    for (index, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
    where line.contains(where: { !isBlank($0) }) {
      try take(first.number + index, content(ofText: Array(line)))
    }
    if let next { try take(next.number, content(of: next)) }
  }

  private static func content<Failure: Error>(of line: LineStream<Failure>.Line) -> LineContent<Item> {
    line.fault.map { .bad($0) } ?? content(ofText: line.text)
  }

  public static func content(ofText text: [UInt8]) -> LineContent<Item> {
    do throws(UnreadableAnswer) {
      return content(of: try value(text))
    } catch {
      return .bad("it is not \(one): \(error)")
    }
  }

  private static func isObject(_ line: [UInt8]) -> Bool { line.first == UInt8(ascii: "{") && isWhole(line) }

  /// Whether a line ends outside all brackets and strings.
  private static func isWhole(_ line: [UInt8]) -> Bool {
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
  public static let one = "a verifyReceipt answer"

  public static func value(_ text: [UInt8]) throws(UnreadableAnswer) -> KeptResponse {
    try KeptResponse(decoding: text)
  }

  public static func content(of kept: KeptResponse) -> LineContent<ImportedAnswer> {
    let status = kept.response.status
    guard let answer = kept.ownAnswer else {
      return .bad("status \(status.rawValue) (\(status.text)) carries no data")
    }
    guard !answer.transactions.isEmpty || answer.bundleID != nil || answer.requestDate != nil else {
      return .bad("it contains neither a receipt nor a transaction")
    }
    return .item(
      ImportedAnswer(
        answer: answer, status: status.rawValue, appUserID: kept.appUserID, observedAt: kept.observedAt))
  }
}

/// Transactions and renewal infos signed by Apple, one per line, bare or in JSON.
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

/// Server notifications of version 1 or 2: JSON Lines, or one JSON value over several lines.
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

/// Notification from an import file, with the result of its check.
public struct NotificationLine: Sendable {
  public let body: NotificationBody
  /// Result of the caller's check; `nil` until the caller has checked the notification.
  public var checked: ReceivedNotification?
}
