/// A purchase whose end Apple may change: a period of a line, or a purchase that does not renew.
protocol RefundablePurchase {
  var transaction: Transaction { get }
  var sighting: Sighting? { get }
  /// Earlier ends, oldest first, the present ones last; empty if they never changed.
  var endsHistory: [EndsObservation] { get }
}

extension Row: RefundablePurchase {}
extension Purchase: RefundablePurchase {}

/// Part of a purchase's event that does not depend on what was bought.
struct PurchaseEvent {
  var type: LineEvent.Kind
  var apple: String
  var reason: String?
  var effectiveAt: Instant
  var observedAt: Instant
  var observedAfter: Instant?
}

extension RefundablePurchase {
  /// Returns every change of the purchase's end, in the order in which they were observed. A refund whose date changes is one refund,
  /// dated by the newest word.
  ///
  /// - Parameter validatedAt: the last validation of the chain.
  func endings(validatedAt: Instant?) -> [PurchaseEvent] {
    let (last, purchase) = (endsHistory.last, transaction.purchaseDate)
    let present = EndsObservation(
      ends: transaction.ends, from: last?.from ?? sighting?.latest ?? validatedAt ?? purchase,
      through: last?.through ?? validatedAt ?? purchase)
    var endings: [PurchaseEvent] = []
    var before: EndsObservation?
    var refund: PurchaseEvent?
    // A duplicate's refund is the purchase's too, though its own history does not show it.
    for seen in endsHistory.dropLast() + [present] {
      if let cancelled = seen.ends.refundDate {
        if cancelled != before?.ends.refundDate {
          refund = cancellation(at: cancelled, observedAt: seen.from)
        }
      } else if let told = refund {
        endings.append(told)
        refund = nil
      }
      if let before { endings += changes(from: before, to: seen) }
      before = seen
    }
    return endings + [refund].compactMap(\.self)
  }

  private var isShared: Bool { transaction.inAppOwnershipType.isShared }

  private func cancellation(at cancelled: Instant, observedAt: Instant) -> PurchaseEvent {
    isShared
      ? PurchaseEvent(type: .revoke, apple: "REVOKE", effectiveAt: cancelled, observedAt: observedAt)
      : PurchaseEvent(
        type: .cancellation, apple: "REFUND", reason: "CUSTOMER_SUPPORT", effectiveAt: cancelled,
        observedAt: observedAt)
  }

  private func changes(from old: EndsObservation, to new: EndsObservation) -> [PurchaseEvent] {
    func change(_ type: LineEvent.Kind, _ apple: String) -> PurchaseEvent {
      PurchaseEvent(
        type: type, apple: apple, effectiveAt: new.from, observedAt: new.from, observedAfter: old.through)
    }
    var changes: [PurchaseEvent] = []
    if old.ends.refundDate != nil, new.ends.cancellationDate == nil, !isShared {
      changes.append(change(.refundReversed, "REFUND_REVERSED"))
    }
    if let was = old.ends.expiresDate, let now = new.ends.expiresDate, now > was {
      changes.append(change(.subscriptionExtended, "RENEWAL_EXTENDED"))
    }
    return changes
  }
}

extension PeriodEnds {
  /// METRICS §2, Refunded: a cancellation that is not an upgrade.
  fileprivate var refundDate: Instant? { isUpgraded ? nil : cancellationDate }
}
