import AppStore
import Subscriptions

/// verifyReceipt answers kept from elsewhere: JSON Lines, or one JSON value over as many lines as it likes.
public enum ResponsesFile: LineFormat {
  public static let name = "responses"

  public static func readText<Failure: Error>(
    _ lines: inout LineStream<Failure>,
    _ take: (LinePlace, LineContent<ImportedAnswer>) throws(Failure) -> Void
  ) throws(Failure) {
    try readValues(&lines, canRead: { (try? KeptResponse(decoding: $0)) != nil }, content, take)
  }

  private static func content(of text: [UInt8]) -> LineContent<ImportedAnswer> {
    let kept: KeptResponse
    do throws(UnreadableAnswer) {
      kept = try KeptResponse(decoding: text)
    } catch {
      return .bad("it is not an answer of verifyReceipt: \(error)")
    }
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
