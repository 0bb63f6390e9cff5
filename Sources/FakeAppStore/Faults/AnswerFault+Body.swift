import Subscriptions

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
