/// What goes wrong on request, a named share of the time.
public enum Fault: String, Sendable, Hashable, CaseIterable {
  case malformedOrPassing = "21002"
  case unavailable = "21005"
  case dataAccess = "21009"
  /// 21100 with `is-retryable`.
  case retryable = "21100"
  case internalServerError = "500"
  case serviceUnavailable = "503"
  /// HTTP 200 with a page for people.
  case html
  /// HTTP 200 without a body.
  case empty
  /// HTTP 200 and a valid length, but half of the JSON.
  case truncated
  /// The connection is closed without an answer.
  case reset
  /// The right answer, two seconds late.
  case slow
}

/// A fault with its share of the requests, 0 to 1.
public struct FaultRate: Sendable, Hashable {
  public var fault: Fault
  public var rate: Double

  public init(_ fault: Fault, rate: Double) {
    self.fault = fault
    self.rate = rate
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
  /// The first fault whose turn it is; a second one of the same request would not be seen.
  func fault(_ random: inout SplitMix64) -> Fault? {
    var share = random.unit()
    for entry in self {
      share -= entry.rate
      if share < 0 { return entry.fault }
    }
    return nil
  }
}
