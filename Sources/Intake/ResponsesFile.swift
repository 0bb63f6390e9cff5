import AppStore
import Subscriptions

/// verifyReceipt answers kept from elsewhere: JSON Lines, or one JSON value over as many lines as it likes.
public enum ResponsesFile {
  public static func read(_ bytes: [UInt8]) -> Reading<ImportedAnswer> {
    JSONValues(bytes: bytes).read(canRead: { (try? KeptResponse(decoding: $0)) != nil }, read)
  }

  private static func read(_ text: [UInt8], line: Int, into reading: inout Reading<ImportedAnswer>) {
    do {
      let kept = try KeptResponse(decoding: text)
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
