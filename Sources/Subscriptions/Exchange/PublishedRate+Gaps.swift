extension [PublishedRate] {
  /// Without days on which a currency is missing as it was on the one before: of a currency that ended the day is enough.
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
