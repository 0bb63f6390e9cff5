import AppStore
import FakeAppStore
import Subscriptions
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct FaultTests {
  private static func quicken(_ configuration: inout FakeAppStoreConfiguration) {
    configuration.faultSettings.retryAfter = 7
    configuration.faultSettings.giganticSize = 3 << 20
    configuration.faultSettings.dripInterval = 1
    configuration.faultSettings.slowness = 1
    configuration.faultSettings.patience = 100
  }

  // MARK: verifyReceipt

  @Test(
    arguments: Fault.allCases.filter {
      guard case .status(let code) = $0 else {
        return [.refuse, .reset, .cut, .stall, .drip, .slow, .gigantic, .html].contains($0)
      }
      return code < 100_000 && code != 401
    })
  func isSeen(_ fault: Fault) async throws {
    try await withServer(faults: [FaultRate(fault, rate: 1)], Self.quicken) { server, port in
      let seen = await HTTPExchange.post(Town.question(), port: port)
      let right = Town.answer().body
      #expect(Self.shows(fault, seen, right), "\(seen.end) \(seen.status ?? 0) \(seen.body.count)")
      #expect(server.traffic.faults == [fault: 1])
      server.setFaults([])
      #expect(await HTTPExchange.post(Town.question(), port: port).body == right)
    }
  }

  private static func shows(_ fault: Fault, _ seen: HTTPExchange, _ right: [UInt8]) -> Bool {
    let length = seen.headers["content-length"]
    let isRight = seen.status == 200 && seen.isWhole && seen.body == right
    let isHalf =
      seen.status == 200 && length == "\(right.count)"
      && seen.body == Array(right.prefix(right.count - right.count / 2))
    let isBomb = seen.headers["content-encoding"] == "gzip" && seen.body.starts(with: [0x1F, 0x8B])
    let isGigantic = seen.body.count > 1 << 20 && seen.appleStatus == 0 && length == nil
    return switch fault {
    case .refuse: seen.end == .reset && seen.status == nil
    case .reset: seen.end == .closed && seen.status == nil
    case .cut: seen.end == .closed && isHalf
    case .stall: seen.end == .reset && !seen.isWhole
    case .drip: seen.end == .reset && seen.status == 200 && !seen.isWhole
    case .slow: isRight
    case .gigantic: seen.isWhole && (isGigantic || isBomb && seen.body.count < 2 << 20)
    case .html: isPage(200, seen)
    case .status(let code) where code < 600: isPage(code, seen)
    case .status(let code): isStatus(code, seen)
    default: false
    }
  }

  private static func isPage(_ code: Int, _ seen: HTTPExchange) -> Bool {
    let (location, later) = (seen.headers["location"], seen.headers["retry-after"])
    return seen.status == code && seen.headers["content-type"] == "text/html"
      && (location == "/elsewhere/verifyReceipt") == (code == 302)
      && (later == "7") == (code == 429) && (later?.hasSuffix(" GMT") == true) == (code == 503)
  }

  private static func isStatus(_ code: Int, _ seen: HTTPExchange) -> Bool {
    let text = String(decoding: seen.body, as: UTF8.self)
    return seen.appleStatus == code && text.contains("\"is-retryable\":1") == (21100...21149).contains(code)
      && text.contains("\"is-retryable\":0") == (21150...21199).contains(code)
  }

  // MARK: Dice and names

  @Test("The dice follow from the seed and the receipt, not from the order of arrival")
  func repeats() async throws {
    let kinds = [Fault.status(21005), .html, .wrongTypes, .duplicateKeys]
    let people = Array(Town.population.subscribers.prefix(12))
    func answers(seed: UInt64, _ order: [Subscriber]) async throws -> [Int: [[UInt8]]] {
      var seen: [Int: [[UInt8]]] = [:]
      // The seed is also the population's; here it only changes the dice.
      try await withServer(faults: .sharing(0.5, among: kinds), { $0.seed = seed }) { _, port in
        for person in order {
          let exchange = await HTTPExchange.post(Town.question(person), port: port)
          seen[person.index, default: []].append(exchange.body)
        }
      }
      return seen
    }
    let there = try await answers(seed: 1, people + people)
    #expect(try await answers(seed: 1, people.flatMap { [$0, $0] }.reversed()) == there)
    #expect(try await answers(seed: 2, people + people) != there)
    #expect(there.values.contains { $0[0] != $0[1] })
  }

  @Test func namesAreReadBack() {
    #expect(Set(Fault.allCases.map(\.name)).count == Fault.allCases.count)
    for fault in Fault.allCases {
      #expect(FaultRate(parsing: "\(fault.name)=0.1") == FaultRate(fault, rate: 0.1))
      #expect(!fault.summary.isEmpty && !fault.summary.contains("\n"))
    }
    let final = Fault.allCases.filter(\.isFinal).map(\.name)
    #expect(final == ["401", "21000", "21003", "21004", "21010", "21150"])
  }
}
