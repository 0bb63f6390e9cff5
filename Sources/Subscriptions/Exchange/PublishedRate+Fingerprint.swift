extension Sequence<PublishedRate> {
  /// Hash of the rates, equal in every process.
  public var fingerprint: Int64 {
    var hash = StableHash()
    for rate in self {
      hash.add(rate.base.rawValue)
      hash.add(rate.currency.rawValue)
      hash.add(Int64(rate.day))
      hash.add(rate.picos ?? 0)
    }
    return Int64(truncatingIfNeeded: hash.value ^ (hash.value >> 64))
  }
}
