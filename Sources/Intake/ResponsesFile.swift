import AppStore
import Subscriptions

/// verifyReceipt answers kept from elsewhere: JSON Lines, or one JSON value over as many lines as it likes.
public enum ResponsesFile {
  public static func read(_ bytes: [UInt8]) -> Reading<ImportedAnswer> {
    var reading = Reading<ImportedAnswer>()
    let lines = Array(Lines(bytes: bytes))
    guard let first = lines.first else {
      reading.bad(1, "the file is empty")
      return reading
    }
    if !isWhole(first.text), let value = oneValue(lines.map(\.text)) {
      read(value, line: first.number, into: &reading)
    } else {
      for (number, text) in lines { read(text, line: number, into: &reading) }
    }
    return reading
  }

  /// The one value that goes on over the lines; nil where it cannot be read but a later line holds a value of its own, since
  /// then they are JSON Lines with the first cut short.
  private static func oneValue(_ lines: [ArraySlice<UInt8>]) -> ArraySlice<UInt8>? {
    let value = Array(lines.joined(separator: [0x0A]))[...]
    if (try? KeptResponse(decoding: Array(value))) != nil { return value }
    let isJSONLines = lines.dropFirst().contains { $0.first == UInt8(ascii: "{") && isWhole($0) }
    return isJSONLines ? nil : value
  }

  /// A value that goes on over several lines leaves a bracket open on its first.
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

  private static func read(_ text: ArraySlice<UInt8>, line: Int, into reading: inout Reading<ImportedAnswer>)
  {
    do {
      let kept = try KeptResponse(decoding: Array(text))
      let status = kept.response.status
      guard let answer = kept.response.answer else {
        reading.bad(line, "status \(status.rawValue) (\(status.text)) carries no data")
        return
      }
      guard !answer.transactions.isEmpty || answer.bundleID != nil || answer.requestDate != nil else {
        reading.bad(line, "it holds neither a receipt nor a transaction")
        return
      }
      reading.take(
        ImportedAnswer(
          answer: answer, status: status.rawValue, appUserID: kept.appUserID, observedAt: kept.observedAt),
        from: line)
    } catch {
      reading.bad(line, "it is not an answer of verifyReceipt: \(error)")
    }
  }
}
