/// Fields of a transaction that determine its end, and that a later answer can change.
public struct PeriodEnds: Hashable, Sendable {
  public var expiresDate: Instant?
  public var cancellationDate: Instant?
  public var cancellationReason: String?
  public var isUpgraded: Bool

  public init(
    expiresDate: Instant?, cancellationDate: Instant?, cancellationReason: String?, isUpgraded: Bool
  ) {
    (self.expiresDate, self.cancellationDate) = (expiresDate, cancellationDate)
    (self.cancellationReason, self.isUpgraded) = (cancellationReason, isUpgraded)
  }

  /// Returns the later expiry, the later cancellation, and `isUpgraded` if either value has it.
  public func adding(_ other: Self) -> Self {
    let mine = (cancellationDate ?? .distantPast, cancellationReason ?? "")
    let theirs = (other.cancellationDate ?? .distantPast, other.cancellationReason ?? "")
    let cancelled = mine >= theirs ? self : other
    return PeriodEnds(
      expiresDate: [expiresDate, other.expiresDate].compactMap(\.self).max(),
      cancellationDate: cancelled.cancellationDate, cancellationReason: cancelled.cancellationReason,
      isUpgraded: isUpgraded || other.isUpgraded)
  }

  var refundDate: Instant? { isUpgraded ? nil : cancellationDate }
}

extension Transaction {
  public var ends: PeriodEnds {
    get {
      PeriodEnds(
        expiresDate: expiresDate, cancellationDate: cancellationDate,
        cancellationReason: self.cancellationReason, isUpgraded: self.isUpgraded)
    }
    set {
      (expiresDate, cancellationDate) = (newValue.expiresDate, newValue.cancellationDate)
      // Assigning an equal value would copy the shared fields.
      if self.cancellationReason != nil || newValue.cancellationReason != nil {
        self.cancellationReason = newValue.cancellationReason
      }
      if self.isUpgraded != newValue.isUpgraded { self.isUpgraded = newValue.isUpgraded }
    }
  }
}

/// Version of a transaction's end, with the first and last validation that showed it.
public struct EndsObservation: Hashable, Sendable {
  public var ends: PeriodEnds
  public var from: Instant
  public var through: Instant

  public init(ends: PeriodEnds, from: Instant, through: Instant) {
    (self.ends, self.from, self.through) = (ends, from, through)
  }
}

/// Instants of the first validations that showed a transaction, and that showed its current values.
public struct Sighting: Hashable, Sendable {
  public var first: Instant
  public var latest: Instant

  public init(first: Instant, latest: Instant) { (self.first, self.latest) = (first, latest) }
}
