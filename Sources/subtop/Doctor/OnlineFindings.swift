import Dashboard
import Subscriptions
import Sweep

/// Whether the App Stores answer that a sweep would ask, and what their clocks say. No secret and no receipt is sent.
struct OnlineFindings {
  let findings: [Finding]

  /// Milliseconds for one of them.
  private static let limit = 10 * Milliseconds.second
  /// Milliseconds by which a token of the Server API may be issued in the future.
  private static let mayDiffer = 30 * Milliseconds.second

  init(_ options: SweepOptions, asksServerAPI: Bool, asksVerifyReceipt: Bool) {
    let endpoints =
      (asksServerAPI ? [options.serverAPI, options.serverAPISandbox] : [])
      + (asksVerifyReceipt ? [options.production, options.sandbox] : [])
    var findings: [Finding] = []
    var aheads: [Int64] = []
    for endpoint in endpoints {
      switch EndpointProbe.ask(endpoint, within: Self.limit, certificates: options.limits.certificates) {
      case .answered(let status, let date):
        findings.append(.ok("App Store", "\(endpoint) answers (HTTP \(status))"))
        if let date { aheads.append(SystemClock.now - date) }
      case .failed(let reason):
        findings.append(
          .problem(
            "App Store", .unreachable,
            "\(endpoint) does not answer: \(printable(reason, atMost: 300)); check the network, a proxy, and the address"
          ))
      }
    }
    if let ahead = aheads.min(by: { abs($0) < abs($1) }) { findings.append(Self.clock(ahead)) }
    self.findings = findings
  }

  private static func clock(_ ahead: Int64) -> Finding {
    guard abs(ahead) >= mayDiffer else { return .ok("clock", "this machine's agrees with the App Store's") }
    let span = AgeText.of(abs(ahead))
    return ahead > 0
      ? .problem(
        "clock", .configuration,
        "this machine's is \(span) ahead of the App Store's, for which Apple refuses keys; set it, or have NTP do so"
      )
      : .warning("clock", "this machine's is \(span) behind the App Store's; set it, or have NTP do so")
  }
}
