/// Purchase whose end Apple may change: a period of a line, or a one-time purchase.
protocol RefundablePurchase {
  var transaction: Transaction { get }
  var duplicateIDs: [TransactionID] { get }
  var sighting: Sighting? { get }
  /// Earlier and current versions of the end, oldest first; empty if the end never changed.
  var endsHistory: [EndsObservation] { get }
}

extension Row: RefundablePurchase {}
extension Purchase: RefundablePurchase {}

/// Event of a purchase, before the fields of its line or chain are added.
struct PurchaseEvent {
  var type: LineEvent.Kind
  var apple: String
  var reason: String?
  var effectiveAt: Instant
  var observedAt: Instant
  var observedAfter: Instant?
}

extension RefundablePurchase {
  /// Returns events for the refunds and the other changes of the purchase's end.
  ///
  /// A refund whose date changes is one event, which has the newest date.
  func endings(validatedAt: Instant?) -> [PurchaseEvent] {
    let (last, purchase) = (endsHistory.last, transaction.purchaseDate)
    let present = EndsObservation(
      ends: transaction.ends, from: last?.from ?? sighting?.latest ?? validatedAt ?? purchase,
      through: last?.through ?? validatedAt ?? purchase)
    var endings: [PurchaseEvent] = []
    var before: EndsObservation?
    var refund: PurchaseEvent?
    // The current end includes the refund of a duplicate id; the history may lack that refund.
    for seen in endsHistory.dropLast() + [present] {
      if let cancelled = seen.ends.refundDate {
        if cancelled != before?.ends.refundDate {
          refund = cancellation(at: cancelled, observedAt: seen.from)
        }
      } else if let reversed = refund {
        endings.append(reversed)
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
