/// Fault that the fake App Store can inject into a share of its answers, as in `--fault reset=0.1`.
public enum Fault: Sendable, Hashable {
  // Faults of the connection.
  case refuse, reset, cut, stall, drip, slow, gigantic
  // Faults of the content.
  case html, truncated, wrongTypes, duplicateKeys, deepNesting, invalidUTF8, anotherReceipt, stranger,
    otherApp
  case wrongEnvironment, emptyHistory, clockAhead, latestReceipt, signature, otherRoot, staleToken
  /// Status instead of data: of HTTP, of verifyReceipt (21000 to 21010, 21100 to 21199) or of the Server API.
  ///
  /// `is-retryable` is 1 for 21100 to 21149, and 0 for 21150 to 21199.
  case status(Int)

  private static let named: [(fault: Fault, name: String, summary: String)] = [
    (.refuse, "refuse", "the connection is reset as soon as it is opened"),
    (.reset, "reset", "the connection is closed without an answer"),
    (.cut, "cut", "half of the announced body, then an orderly close"),
    (.stall, "stall", "nothing, the headers, or half of the body; then silence"),
    (.drip, "drip", "the right answer, very slowly, byte by byte"),
    (.slow, "slow", "the right answer, two seconds late"),
    (.gigantic, "gigantic", "80 MiB of blanks, or half a megabyte of gzip that expands to 160 MiB"),
    (.html, "html", "HTTP 200 with an HTML page"),
    (.truncated, "truncated", "half of the JSON, with a matching length"),
    (.wrongTypes, "wrong-types", "JSON with values, or a body, of the wrong type"),
    (.duplicateKeys, "duplicate-keys", "JSON with a duplicate key and contradictory values"),
    (.deepNesting, "deep-nesting", "JSON with 100,000 levels"),
    (.invalidUTF8, "invalid-utf8", "the right answer with bytes in it that are not UTF-8"),
    (.anotherReceipt, "another-receipt", "the right answer about another customer"),
    (.stranger, "stranger", "the right answer with another customer's purchases among its own"),
    (.otherApp, "other-app", "the right answer, or validly signed rows, of another app"),
    (.wrongEnvironment, "wrong-environment", "verifyReceipt: the right answer, from the other environment"),
    (.emptyHistory, "empty-history", "the right app, but no purchases"),
    (.clockAhead, "clock-ahead", "the right answer, dated two days ahead"),
    (
      .latestReceipt, "latest-receipt",
      "verifyReceipt: another customer's latest_receipt, or an invalid one"
    ),
    (.signature, "signature", "Server API: a row or notification whose signature does not match"),
    (.otherRoot, "other-root", "Server API: signed by an untrusted authority with Apple's extensions"),
    (.staleToken, "stale-token", "Server API: a revision or a pagination token is refused"),
  ]
  private static let statuses = [
    302, 401, 429, 500, 503, 21000, 21002, 21003, 21004, 21005, 21007, 21009, 21010, 21100, 21150, 4_040_006,
    4_290_000, 5_000_001,
  ]

  public var summary: String {
    switch self {
    case .status(401): "Server API: HTTP 401, as for an invalid token"
    case .status(429), .status(503): "HTTP \(name) with Retry-After"
    case .status(let code) where code < 600: "HTTP \(code)"
    case .status(21100...21149): "status \(name) with is-retryable 1"
    case .status(21150...21199): "status \(name) with is-retryable 0"
    case .status(let code) where code < 100_000: "status \(code) without data"
    case .status(let code): "Server API: error \(code)\(code == 4_290_000 ? " with Retry-After" : "")"
    default: Self.named.first { $0.fault == self }?.summary ?? ""
    }
  }

  public var isOfReceipts: Bool {
    switch self {
    case .signature, .otherRoot, .staleToken, .status(401): false
    case .status(let code): code < 100_000
    default: true
    }
  }

  public var isOfServerAPI: Bool {
    switch self {
    case .wrongEnvironment, .latestReceipt: false
    case .status(let code): code < 600 || code > 100_000
    default: true
    }
  }

  /// Whether the fault may make the client disconnect and retry before the answer ends.
  var isOfConnection: Bool { [.reset, .cut, .stall, .drip, .gigantic, .slow].contains(self) }

  /// Whether a retry cannot help, so that a client should give up on the receipt or the sweep.
  public var isFinal: Bool {
    guard case .status(let code) = self else { return false }
    return [401, 21000, 21003, 21004, 21010].contains(code) || (21150...21199).contains(code)
  }
}

extension Fault: CaseIterable {
  public static var allCases: [Fault] { named.map(\.fault) + statuses.map(Fault.status) }

  public var name: String {
    if case .status(let code) = self { return String(code) }
    return Self.named.first { $0.fault == self }?.name ?? ""
  }

  public init?(named name: String) {
    if let fault = Self.named.first(where: { $0.name == name })?.fault {
      self = fault
    } else if let code = Int(name), "\(code)" == name,
      Self.statuses.contains(code) || (21000...21010).contains(code) || (21100...21199).contains(code)
    {
      self = .status(code)
    } else {
      return nil
    }
  }
}

/// Fault and the share of requests that have it, from 0 to 1; for `refuse`, the share of connections.
public struct FaultRate: Sendable, Hashable {
  public var fault: Fault
  public var rate: Double

  public init(_ fault: Fault, rate: Double) { (self.fault, self.rate) = (fault, rate) }

  public init?(parsing text: String) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, let fault = Fault(named: parts[0]), let rate = Double(parts[1]),
      (0...1).contains(rate)
    else { return nil }
    self.init(fault, rate: rate)
  }
}

extension [FaultRate] {
  /// Divides a rate equally among the faults; `refuse`, which applies to connections, gets the whole rate.
  public static func sharing(_ rate: Double, among faults: some Sequence<Fault>) -> [FaultRate] {
    let requests = faults.filter { $0 != .refuse }
    return faults.map { FaultRate($0, rate: $0 == .refuse ? rate : rate / Double(requests.count)) }
  }

  func drawn(_ random: inout SplitMix64, among isPossible: (Fault) -> Bool) -> Fault? {
    var share = random.unit()
    for entry in self where isPossible(entry.fault) {
      share -= entry.rate
      if share < 0 { return entry.fault }
    }
    return nil
  }
}

/// Sizes and durations of the faults.
public struct FaultSettings: Sendable, Hashable {
  public var retryAfter = 1
  /// Path prefix of redirect targets, where this server counts requests and answers them correctly.
  static let elsewhere = "/elsewhere"
  public var giganticSize = 80 << 20
  /// Milliseconds between two bytes of a dripping answer.
  public var dripInterval: Int64 = 200
  public var slowness: Int64 = 2000
  /// Milliseconds after which a stalled or dripping answer is aborted.
  public var patience: Int64 = 120_000

  public init() {}
}
