import Dashboard
import Subscriptions
import Sweep

/// Checks of the App Store endpoints and their clocks, which send no secret and no receipt.
struct OnlineFindings {
  let findings: [Finding]

  private static let limit = 10 * Milliseconds.second
  /// Tolerated difference of the clocks, in milliseconds; Apple refuses tokens issued in the future.
  private static let mayDiffer = 30 * Milliseconds.second

  init(_ options: SweepOptions, asksServerAPI: Bool, asksVerifyReceipt: Bool) {
    let endpoints: [(EndpointProbe.Service, AppStoreEndpoint)] =
      (asksServerAPI ? [options.serverAPI, options.serverAPISandbox] : []).map { (.serverAPI, $0) }
      + (asksVerifyReceipt ? [options.production, options.sandbox] : []).map { (.verifyReceipt, $0) }
    var findings: [Finding] = []
    var aheads: [Int64] = []
    var isReached = false
    func trouble(_ says: String) { findings.append(.problem("App Store", .unreachable, says)) }
    for (service, endpoint) in endpoints {
      switch EndpointProbe.ask(
        service, at: endpoint, within: Self.limit, certificates: options.limits.certificates)
      {
      case .answered(let status, let date, isAppStore: true):
        findings.append(.ok("App Store", "\(endpoint) answers (HTTP \(status))"))
        isReached = true
        if let date { aheads.append(SystemClock.now - date) }
      case .answered(let status, _, isAppStore: false) where status >= 500:
        trouble(
          "\(endpoint) answers with HTTP \(status): the App Store or a proxy in between is failing; try again later"
        )
      case .answered(let status, _, isAppStore: false):
        trouble(
          "\(endpoint) answers with HTTP \(status), unlike the App Store; look for a proxy or a network login page "
            + "in between, or check the address")
      case .failed(let reason):
        trouble(
          "\(endpoint) does not answer: \(printable(reason, atMost: 300)); check the network, a proxy, and the address"
        )
      }
    }
    if let ahead = aheads.min(by: { abs($0) < abs($1) }) {
      findings.append(Self.clock(ahead))
    } else if isReached {
      findings.append(
        .warning(
          "clock",
          "the App Store sent no time, so this machine's clock was not compared; check that `timedatectl` shows it as synchronized"
        ))
    }
    self.findings = findings
  }

  private static func clock(_ ahead: Int64) -> Finding {
    guard abs(ahead) >= mayDiffer else { return .ok("clock", "agrees with the App Store's clock") }
    let span = AgeText.of(abs(ahead))
    return ahead > 0
      ? .problem(
        "clock", .configuration,
        "this machine's clock is \(span) ahead of the App Store's, so Apple refuses requests signed with a key; set the clock, or use NTP"
      )
      : .warning("clock", "this machine's clock is \(span) behind the App Store's; set the clock, or use NTP")
  }
}
