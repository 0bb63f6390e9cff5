/// What a sweep would take up, for whoever is asked whether it is to begin.
public struct SweepEstimate: Hashable, Sendable {
  /// Receipts that could be taken up, and those that running sweeps hold.
  public var free: Int
  public var held: Int
  /// Receipts a second of the last sweeps; nil where none tells.
  public var rate: Double?

  public init(free: Int, held: Int = 0, rate: Double? = nil) {
    self.free = free
    self.held = held
    self.rate = rate
  }

  /// Milliseconds at a rate; nil where it is not known.
  public func milliseconds(at rate: Double?) -> Int64? {
    guard let rate = rate ?? self.rate, rate > 0 else { return nil }
    return Int64(min(1e15, Double(free) / rate * 1000))
  }
}
