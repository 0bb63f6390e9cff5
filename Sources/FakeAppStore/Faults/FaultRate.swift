/// A fault with its share of the requests, 0 to 1; of the connections where it is a connection's.
public struct FaultRate: Sendable, Hashable {
  public var fault: Fault
  public var rate: Double
  /// Where it happens; nil is at both.
  public var endpoint: FakeEndpoint?

  public init(_ fault: Fault, rate: Double, at endpoint: FakeEndpoint? = nil) {
    (self.fault, self.rate, self.endpoint) = (fault, rate, endpoint)
  }

  /// Reads `KIND=RATE`; nil where the kind is unknown or the rate is not from 0 to 1.
  public init?(parsing text: String) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, let fault = Fault(rawValue: parts[0]), let rate = Double(parts[1]),
      (0...1).contains(rate)
    else { return nil }
    self.init(fault, rate: rate)
  }
}

extension [FaultRate] {
  /// All of these faults together this often, each as often as any other. Those of connections and those of requests each share it among themselves.
  public static func sharing(_ rate: Double, among faults: some Sequence<Fault>) -> [FaultRate] {
    let (connections, requests) = (faults.filter(\.isOfConnection), faults.filter { !$0.isOfConnection })
    return connections.map { FaultRate($0, rate: rate / Double(connections.count)) }
      + requests.map { FaultRate($0, rate: rate / Double(requests.count)) }
  }

  /// The fault whose turn it is: a second one of the same request would not be seen.
  func fault(
    at endpoint: FakeEndpoint, _ random: inout SplitMix64, among isPossible: (Fault) -> Bool = { _ in true }
  ) -> Fault? {
    let possible = filter {
      !$0.fault.isOfConnection && ($0.endpoint ?? endpoint) == endpoint && isPossible($0.fault)
    }
    return drawn(from: possible, &random)
  }

  /// The fault of a connection that was just made.
  func connectionFault(_ random: inout SplitMix64) -> ConnectionFault? {
    guard case .connection(let fault) = drawn(from: filter(\.fault.isOfConnection), &random) else {
      return nil
    }
    return fault
  }

  private func drawn(from rates: [FaultRate], _ random: inout SplitMix64) -> Fault? {
    var share = random.unit()
    for entry in rates {
      share -= entry.rate
      if share < 0 { return entry.fault }
    }
    return nil
  }
}

extension Fault {
  fileprivate var isOfConnection: Bool { if case .connection = self { true } else { false } }
}
