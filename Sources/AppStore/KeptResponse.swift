import Subscriptions

/// An answer that somebody kept: bare, or as `{"app_user_id": …, "observed_at_ms": …, "response": {…}}`.
public struct KeptResponse: Sendable {
  public let appUserID: AppUserID?
  public let observedAt: Instant?
  public let response: VerifyReceiptResponse

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
