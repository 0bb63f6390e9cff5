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
    do throws(Misread) {
      (appUserID, observedAt, response) = try StrictJSON.read(bytes) { (values) throws(Misread) in
        guard values.contains(.response) else {
          return (nil, nil, VerifyReceiptResponse(try WireResponse(values), environment: nil))
        }
        let user = try values.text(.appUserID).map(AppUserID.init)
        let instant = try values.instant(.observedAtMilliseconds, orText: .observedAtMilliseconds)
        let wire = try values.read(.response, WireResponse.init)
        return (user, instant, VerifyReceiptResponse(wire, environment: nil))
      }
    } catch {
      throw UnreadableAnswer(error)
    }
  }
}
