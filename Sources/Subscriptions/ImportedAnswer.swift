/// An answer that was kept from elsewhere, without the receipt that it answered; or one row that Apple signed.
public struct ImportedAnswer: Hashable, Sendable {
  public var answer: Answer
  public var status: Int
  public var appUserID: AppUserID?
  /// When Apple answered; nil takes the answer's own `request_date`, else now.
  public var observedAt: Instant?
  /// The one transaction or renewal info that the answer is, as Apple signed it. Nil of an answer.
  public var signed: SignedText?

  public init(
    answer: Answer, status: Int, appUserID: AppUserID? = nil, observedAt: Instant? = nil,
    signed: SignedText? = nil
  ) {
    self.answer = answer
    self.status = status
    self.appUserID = appUserID
    self.observedAt = observedAt
    self.signed = signed
  }
}
