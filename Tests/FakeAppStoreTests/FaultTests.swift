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

  // MARK: Names of faults

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
