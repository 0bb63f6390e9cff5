import FakeAppStore
import Subscriptions
import Testing

/// What a client without opinions sees of one kind of fault.
struct Trouble: Sendable, CustomTestStringConvertible {
  let fault: Fault
  let shows: @Sendable (HTTPExchange) -> Bool
  var testDescription: String { fault.rawValue }

  init(_ fault: Fault, _ shows: @escaping @Sendable (HTTPExchange) -> Bool) {
    (self.fault, self.shows) = (fault, shows)
  }

  static let all = connections + transports + pages + statuses + answers

  private static func isRight(_ exchange: HTTPExchange) -> Bool {
    exchange.status == 200 && exchange.isWhole && exchange.body == Town.rightAnswer()
  }

  private static let connections = [
    Trouble(.refuse) { $0.end == .reset && $0.status == nil }
  ]

  private static let transports = [
    Trouble(.reset) { $0.end == .closed && $0.status == nil },
    Trouble(.resetMidBody) { $0.end == .reset && isHalf($0) },
    Trouble(.cut) { $0.end == .closed && isHalf($0) },
    Trouble(.stall) { $0.end == .reset && !$0.isWhole },
    Trouble(.drip) { $0.end == .reset && $0.status == 200 && !$0.isWhole },
    Trouble(.slow, isRight), Trouble(.chunked) { isRight($0) && $0.chunks > 500 },
    Trouble(.gigantic) {
      $0.isWhole && $0.headers["content-length"] == nil && $0.body.count > 1 << 20 && $0.appleStatus == 0
    },
    Trouble(.giganticAnnounced) {
      $0.isWhole && $0.headers["content-length"] == "\($0.body.count)" && $0.appleStatus == 0
    },
    Trouble(.gzipBomb) {
      $0.isWhole && $0.headers["content-encoding"] == "gzip" && $0.body.starts(with: [0x1F, 0x8B])
        && $0.body.count < 2 << 20
    },
  ]

  private static func isHalf(_ exchange: HTTPExchange) -> Bool {
    let right = Town.rightAnswer()
    return exchange.status == 200 && exchange.headers["content-length"] == "\(right.count)"
      && exchange.body == Array(right.prefix(right.count - right.count / 2))
  }

  private static let pages = PageFault.allCases.map { fault in
    Trouble(.page(fault)) { exchange in
      let isRedirect = [302, 307, 308].contains(fault.code)
      return exchange.status == fault.code && exchange.headers["content-type"] == "text/html"
        && (exchange.headers["location"] == "/elsewhere/verifyReceipt") == isRedirect
        && (exchange.headers["retry-after"] == "7") == fault.rawValue.hasSuffix("-retry-after")
        && (exchange.headers["retry-after"]?.hasSuffix(" GMT") == true) == fault.rawValue.hasSuffix("-date")
    }
  }

  private static let statuses = StatusFault.allCases.map { fault in
    Trouble(.status(fault)) { exchange in
      let text = String(decoding: exchange.body, as: UTF8.self)
      let isSpelt = text.contains("is-retryable") || text.contains("is_retryable")
      return switch fault {
      case .plain(let code):
        exchange.appleStatus == code && text.contains("\"is-retryable\":1") == (21100...21199).contains(code)
      case .internalError(let code, let word):
        exchange.appleStatus == code && isSpelt == (word != .absent)
      case .endlessHop: exchange.appleStatus == 21007
      }
    }
  }

  private static let answers = [
    Trouble(.empty) { $0.status == 200 && $0.isWhole && $0.body.isEmpty },
    Trouble(.truncated) {
      let right = Town.rightAnswer()
      return $0.isWhole && $0.body == Array(right.prefix(right.count - right.count / 2))
    },
    Trouble(.wrongTypes) { $0.isWhole && $0.answer != nil && $0.body != Town.rightAnswer() },
    Trouble(.duplicateKeys) { $0.isWhole && $0.body.count > Town.rightAnswer().count },
    Trouble(.deepNesting) { $0.isWhole && $0.body.count { $0 == 0x5B || $0 == 0x7B } > 100_000 },
    Trouble(.invalidUTF8) { $0.isWhole && String(validating: $0.body, as: UTF8.self) == nil },
    Trouble(.anotherReceipt) {
      $0.appleStatus == 0 && $0.answer?["environment"]?.text == "Production"
        && $0.answer?["receipt"]?["bundle_id"]?.text == FakeCatalog.bundleID.rawValue
        && $0.body != Town.rightAnswer()
    },
    Trouble(.mixedAnswer) { $0.appleStatus == 0 && $0.body.count > Town.rightAnswer().count },
    Trouble(.swappedLatestReceipt) { $0.appleStatus == 0 && $0.body != Town.rightAnswer() },
    Trouble(.garbageLatestReceipt) { $0.appleStatus == 0 && $0.body != Town.rightAnswer() },
    Trouble(.anotherBundle) {
      $0.appleStatus == 0
        && $0.answer?["receipt"]?["bundle_id"]?.text == "com.example.elsewhere.com.example.lumen"
    },
    Trouble(.wrongEnvironment) { $0.appleStatus == 0 && $0.answer?["environment"]?.text == "Sandbox" },
    Trouble(.emptyHistory) {
      $0.appleStatus == 0 && $0.answer?["receipt"]?["bundle_id"]?.text == FakeCatalog.bundleID.rawValue
        && $0.answer?["receipt"]?["in_app"]?.list.isEmpty == true && $0.answer?["latest_receipt_info"] == nil
    },
    Trouble(.clockAhead) {
      $0.appleStatus == 0
        && $0.answer?["receipt"]?["request_date_ms"]?.text
          == "\((Town.now + 2 * Milliseconds.day).rawValue)"
    },
  ]
}

@Suite struct FaultTests {
  private static func quicken(_ configuration: inout FakeAppStoreConfiguration) {
    configuration.faultSettings.retryAfter = 7
    configuration.faultSettings.giganticSize = 3 << 20
    configuration.faultSettings.dripInterval = 1
    configuration.faultSettings.slowness = 1
    configuration.faultSettings.patience = 100
  }

  @Test("What a client sees", arguments: Trouble.all)
  func isSeen(_ trouble: Trouble) async throws {
    try await withServer(faults: [FaultRate(trouble.fault, rate: 1)], Self.quicken) { server, port in
      let exchange = await HTTPExchange.post(Town.question(), to: "/verifyReceipt", port: port)
      #expect(trouble.shows(exchange), "\(exchange.end) \(exchange.status ?? 0) \(exchange.body.count)")
      #expect(server.traffic.faults == [trouble.fault: 1])
      server.setFaults([])
      let again = await HTTPExchange.post(Town.question(), to: "/verifyReceipt", port: port)
      #expect(again.body == Town.rightAnswer())
    }
  }

  @Test func everyFaultIsSeenAndExplained() {
    #expect(Trouble.all.map(\.fault) == Fault.allCases.filter(\.isOfReceipts))
    #expect(Set(Fault.allCases.map(\.rawValue)).count == Fault.allCases.count)
    for fault in Fault.allCases {
      #expect(Fault(rawValue: fault.rawValue) == fault)
      #expect(!fault.summary.isEmpty && !fault.summary.contains("\n"))
    }
  }

  @Test("A fault comes as often as asked", arguments: [0.0, 0.25, 1.0])
  func rate(_ rate: Double) async throws {
    try await withServer(faults: [FaultRate(.unavailable, rate: rate)]) { server, port in
      var failures = 0
      for _ in 0..<100 {
        let exchange = await HTTPExchange.post(Array("{}".utf8), to: "/verifyReceipt", port: port)
        failures += exchange.appleStatus == 21005 ? 1 : 0
      }
      #expect(abs(failures - Int(100 * rate)) <= (rate == 0 || rate == 1 ? 0 : 15))
      #expect(server.traffic.faults[.unavailable] ?? 0 == failures)
    }
  }

  @Test("The dice follow from the seed and the receipt, not from the order of arrival")
  func repeats() async throws {
    let faults = [FaultRate].sharing(0.5, among: [.unavailable, .html, .wrongTypes, .duplicateKeys])
    let people = Array(Town.population.subscribers.prefix(12))
    func answers(seed: UInt64, _ order: [Subscriber]) async throws -> [Int: [[UInt8]]] {
      var seen: [Int: [[UInt8]]] = [:]
      // The seed is the population's, too: here it only moves the dice.
      try await withServer(faults: faults, { $0.seed = seed }) { _, port in
        for person in order {
          let exchange = await HTTPExchange.post(Town.question(person), to: "/verifyReceipt", port: port)
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

  struct Spelling: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let isGood: Bool

    init(_ text: String, _ isGood: Bool) { (testDescription, self.isGood) = (text, isGood) }
  }

  @Test(
    arguments: [
      Spelling("21005=0.1", true), Spelling("reset=1", true), Spelling("slow=0", true),
      Spelling("21173-final=0.1", true), Spelling("21142=0.1", true), Spelling("429-retry-after=0.5", true),
      Spelling("21005", false), Spelling("nonsense=0.1", false), Spelling("html=2", false),
      Spelling("html=-1", false), Spelling("html=often", false), Spelling("", false),
      Spelling("21011=1", false), Spelling("21200=1", false), Spelling("21005-final=1", false),
      Spelling("21150-maybe=1", false), Spelling("021150=1", false), Spelling("-=1", false),
    ])
  func isSpelt(_ spelling: Spelling) {
    let rate = FaultRate(parsing: spelling.testDescription)
    #expect((rate != nil) == spelling.isGood)
    if let rate { #expect(spelling.testDescription.hasPrefix(rate.fault.rawValue + "=")) }
  }

  @Test func sharesARate() {
    let rates = [FaultRate].sharing(0.3, among: Fault.allCases)
    #expect(rates.map(\.fault) == Fault.allCases)
    #expect(abs(rates.map(\.rate).reduce(0, +) - 0.6) < 1e-9)
  }

  @Test func keepsToItsEndpoint() async throws {
    let faults = [FaultRate(.unavailable, rate: 1, at: .sandbox)]
    try await withServer(faults: faults) { _, port in
      for (endpoint, status) in [(FakeEndpoint.production, 0), (.sandbox, 21005)] {
        let exchange = await HTTPExchange.post(Town.question(), to: endpoint.rawValue, port: port)
        #expect(exchange.appleStatus == status)
      }
    }
  }

  @Test("21007 and 21008 lead to and fro for ever")
  func hops() async throws {
    try await withServer(faults: [FaultRate(.status(.endlessHop), rate: 1)]) { _, port in
      for (endpoint, status) in [(FakeEndpoint.production, 21007), (.sandbox, 21008)] {
        let exchange = await HTTPExchange.post(Town.question(), to: endpoint.rawValue, port: port)
        #expect(exchange.appleStatus == status)
      }
    }
  }
}
