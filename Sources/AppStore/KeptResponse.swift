import Subscriptions

/// An answer that somebody kept: bare, or as `{"app_user_id": …, "observed_at_ms": …, "response": {…}}`.
public struct KeptResponse: Sendable {
  public let appUserID: AppUserID?
  public let observedAt: Instant?
  public let response: VerifyReceiptResponse

  /// What of the answer is about one receipt, where something can be read of the newest that came with it: the chains that it
  /// shows. Where it shows none of them, it is another's and not kept.
  public var ownAnswer: Answer? {
    guard var own = response.answer, let shown = own.chainsOfLatestReceipt else { return response.answer }
    if own.namedChains.isDisjoint(with: shown) {
      own.latestReceipt = nil
    } else {
      own.leaveOut(own.namedChains.subtracting(shown))
    }
    return own
  }

  /// - Throws: `UnreadableAnswer`, which names the field and never its content.
  public init(decoding bytes: [UInt8]) throws(UnreadableAnswer) {
    let kept = try StrictJSON.decode(Kept<WireResponse>.self, from: bytes, as: "the answer")
    (appUserID, observedAt) = (kept.appUserID, kept.observedAt)
    response = VerifyReceiptResponse(kept.body, environment: nil)
  }
}
