extension Window {
  /// The end of each stretch of a trend.
  public var stretchEnds: [Instant] {
    (1...Trend.stretches).map { number in
      // Rounded up, as the last instant that `stretch(of:)` counts in.
      let part = Int128(to - from) * Int128(number) + Int128(Trend.stretches - 1)
      return from + Int64(part / Int128(Trend.stretches))
    }
  }

  /// The stretch that holds an instant of the window.
  public func stretch(of instant: Instant) -> Int {
    Int(Int128(instant - from - 1) * Int128(Trend.stretches) / Int128(to - from))
  }
}
