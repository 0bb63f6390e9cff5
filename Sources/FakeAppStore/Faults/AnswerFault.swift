/// A body that comes whole, with HTTP 200, and is not to be believed.
public enum AnswerFault: String, Sendable, Hashable, CaseIterable {
  case truncated
  case wrongTypes = "wrong-types"
  case duplicateKeys = "duplicate-keys"
  case deepNesting = "deep-nesting"
  case invalidUTF8 = "invalid-utf8"
  case anotherReceipt = "another-receipt"
  case mixedAnswer = "mixed-answer"
  case swappedLatestReceipt = "swapped-latest-receipt"
  case garbageLatestReceipt = "garbage-latest-receipt"
  case anotherBundle = "another-bundle"
  case wrongEnvironment = "wrong-environment"
  case emptyHistory = "empty-history"
  case clockAhead = "clock-ahead"

  /// Whether the Server API's answers have what it falsifies.
  var isOfServerAPI: Bool {
    switch self {
    case .mixedAnswer, .swappedLatestReceipt, .garbageLatestReceipt: false
    default: true
    }
  }

  var summary: String {
    switch self {
    case .truncated: "half of the JSON, with a length that fits"
    case .wrongTypes: "JSON with values, or a whole shape, of other types"
    case .duplicateKeys: "JSON with a key twice, and contradictory values"
    case .deepNesting: "JSON with 100,000 levels"
    case .invalidUTF8: "the right answer with bytes in it that are not UTF-8"
    case .anotherReceipt: "the right answer about somebody else"
    case .mixedAnswer: "the right answer with somebody else's purchases among its own"
    case .swappedLatestReceipt: "the right answer with somebody else's latest_receipt"
    case .garbageLatestReceipt: "the right answer with a latest_receipt that is none, or forged"
    case .anotherBundle: "the right answer with another app's bundle id"
    case .wrongEnvironment: "the right answer with the other environment's name"
    case .emptyHistory: "status 0 and the right app, but no purchases"
    case .clockAhead: "the right answer with request_date two days ahead"
    }
  }
}
