/// Number of receipts that a sweep would process, for its confirmation.
public struct SweepEstimate: Hashable, Sendable {
  public var free: Int
  public var held: Int
  /// Receipts per second of the last sweeps; `nil` if unknown.
  public var rate: Double?

  public init(free: Int, held: Int = 0, rate: Double? = nil) {
    self.free = free
    self.held = held
    self.rate = rate
  }

  public func milliseconds(at rate: Double?) -> Int64? {
    guard let rate = rate ?? self.rate, rate > 0 else { return nil }
    return Int64(min(1e15, Double(free) / rate * 1000))
  }
}
