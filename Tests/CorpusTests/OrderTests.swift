import AppStore
import Subscriptions
import TestSupport
import Testing

/// METRICS §1.2: never trust the order. Every list of every answer is shuffled, and the domain sees the same.
@Suite("Order", .enabled(if: Corpus.isPresent, "../shared/corpus is not beside the repository"))
struct OrderTests {
  /// What an answer comes to, without the order in which renewal infos are kept.
  private struct Outcome: Equatable {
    var rows: [[Row]]
    var verdicts: [Verdict?]
    var events: [LineEvent]
    var oneTime: [Transaction]

    init(_ answer: Answer) {
      let lines = answer.lines()
      rows = lines.map(\.rows)
      verdicts = lines.map { $0.verdict(at: answer.now) }
      events = lines.flatMap(\.events).sorted(by: LineEvent.newestFirst)
      oneTime = answer.chains.flatMap(\.oneTime)
    }
  }

  @Test(arguments: Specimen.all.filter { $0.answer != nil && !$0.isCompleted })
  func ofListsChangesNothing(_ specimen: Specimen) throws {
    let json = try #require(Corpus.bytes(of: specimen.file).flatMap { try? AnyJSON($0) })
    let answer = try #require(specimen.answer)
    let outcome = Outcome(answer)
    for seed in 1...8 {
      var generator = Seeded(UInt64(seed))
      let shuffled = try KeptResponse(decoding: json.shuffled(with: &generator).bytes).response.answer
      let found = try #require(shuffled)
      if saysOneThingTwice.contains(specimen.file) {
        #expect(found.transactions.count == answer.transactions.count)
      } else {
        #expect(Outcome(found) == outcome, "seed \(seed)")
        #expect(found.digest == answer.digest, "seed \(seed)")
      }
    }
  }

  /// Its publisher repeated one transaction_id with other dates: whichever comes first counts.
  private let saysOneThingTwice: Set<String> = ["gabrielgarza__monza/spec__response.json"]
}

extension AnyJSON {
  /// The same, with every list in another order.
  fileprivate func shuffled(with generator: inout some RandomNumberGenerator) -> AnyJSON {
    switch self {
    case .list(let list):
      var shuffled: [AnyJSON] = []
      for element in list { shuffled.append(element.shuffled(with: &generator)) }
      return .list(shuffled.shuffled(using: &generator))
    case .object(let object):
      var changed: [String: AnyJSON] = [:]
      for key in object.keys.sorted() { changed[key] = object[key]?.shuffled(with: &generator) }
      return .object(changed)
    default: return self
    }
  }
}
