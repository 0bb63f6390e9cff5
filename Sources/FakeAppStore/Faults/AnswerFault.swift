import Subscriptions

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

extension AnswerFault {
  /// The body that goes out. What has no data to falsify, such as 21007, keeps its right answer.
  func body(
    of question: FakeQuestion, from store: FakeStore, at endpoint: FakeEndpoint, now: Instant,
    _ random: inout SplitMix64
  ) -> [UInt8] {
    let right = { store.answer(to: question, endpoint: endpoint, at: now) }
    return switch self {
    case .truncated: right().body.firstHalf
    case .wrongTypes: Forgery.wrongTypes(right(), &random)
    case .duplicateKeys: Forgery.duplicateKeys(right(), &random)
    case .deepNesting: Forgery.deepNesting(&random)
    case .invalidUTF8: Forgery.invalidUTF8(right().body, &random)
    case .anotherReceipt:
      Self.confusing(question, right(), store, &random) {
        store.answer(about: $0, at: now, excludingOld: question.excludesOld, as: .asIs).body
      }
    // One of iOS 6 is about one subscription alone and stays right.
    case .mixedAnswer:
      Self.confusing(question, right(), store, &random) {
        store.answer(to: question, endpoint: endpoint, at: now, as: .mixed(with: $0)).body
      }
    case .swappedLatestReceipt:
      Self.confusing(question, right(), store, &random) {
        Forgery.replacingLatestReceipt(of: right(), by: store.receipt(of: $0, at: now).receipt.base64)
      }
    case .garbageLatestReceipt: Forgery.garbageLatestReceipt(right(), &random)
    case .anotherBundle:
      right().body.replacing("\"bundle_id\":\"", with: "\"bundle_id\":\"com.example.elsewhere.")
        .replacing("\"bid\":\"", with: "\"bid\":\"com.example.elsewhere.")
    case .wrongEnvironment: Forgery.swappingEnvironments(right().body)
    case .emptyHistory: store.answer(to: question, endpoint: endpoint, at: now, as: .emptied).body
    case .clockAhead:
      store.answer(to: question, endpoint: endpoint, at: now, as: .dated(now + 2 * Milliseconds.day)).body
    }
  }

  /// - Parameter lie: makes the body, with somebody else in it. Where there is nobody else, or no data, the right answer stays.
  private static func confusing(
    _ question: FakeQuestion, _ right: FakeAnswer, _ store: FakeStore, _ random: inout SplitMix64,
    _ lie: (Subscriber) -> [UInt8]
  ) -> [UInt8] {
    guard right.hasData, let asked = question.subscriber,
      let other = store.population.neighbour(of: asked, &random)
    else { return right.body }
    return lie(other)
  }
}

extension FakePopulation {
  /// Somebody else of the same kind and app; in a town of one there is nobody else.
  func neighbour(of asked: Subscriber, _ random: inout SplitMix64) -> Subscriber? {
    let first = Int(random.between(1, Int64(max(1, count - 1))))
    return (0..<count).lazy
      .map { subscriber((asked.index + first + $0) % count, founded: asked.founded) }
      .first {
        $0.index != asked.index && $0.kind == asked.kind && $0.bundleID == asked.bundleID
          && $0.accountGoneFrom == nil
      }
  }
}

extension [UInt8] {
  var firstHalf: [UInt8] { Array(prefix(count - count / 2)) }

  /// Every occurrence, or the first so many.
  func replacing(_ old: String, with new: String, most: Int = .max) -> [UInt8] {
    replacing(Array(old.utf8), with: Array(new.utf8), maxReplacements: most)
  }

  func contains(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}
