import AppStore
import Subscriptions

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
