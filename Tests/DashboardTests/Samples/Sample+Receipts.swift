import Subscriptions

extension Sample {
  static func receipts(_ question: ReceiptQuestion) -> ReceiptLines {
    var known = ReceiptLine(id: receipt(41))
    (known.appUserID, known.chain, known.otherChains) = (
      AppUserID("user-4821"), OriginalTransactionID("310000812347888"), 2
    )
    (known.product, known.lastStatus) = (ProductID("com.example.pro.monthly"), 0)
    (known.lastCheckedAt, known.nextDue) = (now - Milliseconds.hour, now + 5 * Milliseconds.hour)
    var failing = ReceiptLine(id: receipt(2077))
    (failing.appUserID, failing.lastStatus) = (AppUserID("user-002077"), 21009)
    failing.why = "Apple answered 21009: internal data access error, try again later"
    (failing.lastCheckedAt, failing.nextDue) = (now - 2 * Milliseconds.day, now - Milliseconds.hour)
    var unknown = ReceiptLine(id: receipt(2963))
    unknown.why = "HTTP 503"
    if case .ofSweep = question {
      (known.swept, failing.swept, unknown.swept) = (.changed, .later, .rejected)
    }
    return ReceiptLines(question, [known, failing, unknown], count: 3)
  }
}
