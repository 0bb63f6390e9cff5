extension [PublishedRate] {
  /// Rates sorted by base, currency and day, with only the first of consecutive days without a rate.
  public var withoutRepeatedGaps: [PublishedRate] {
    let ordered = sorted {
      ($0.base.rawValue, $0.currency.rawValue, $0.day) < ($1.base.rawValue, $1.currency.rawValue, $1.day)
    }
    var last: PublishedRate?
    return ordered.filter { rate in
      defer { last = rate }
      guard let last, last.base == rate.base, last.currency == rate.currency else { return true }
      return rate.picos != nil || last.picos != nil
    }
  }
}
