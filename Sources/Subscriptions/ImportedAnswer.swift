/// An answer that was kept from elsewhere, without the receipt that it answered.
public struct ImportedAnswer: Sendable {
  public var answer: Answer
  public var status: Int
  public var appUserID: AppUserID?
  /// When Apple answered; nil takes the answer's own `request_date`, else now.
  public var observedAt: Instant?

  public init(answer: Answer, status: Int, appUserID: AppUserID? = nil, observedAt: Instant? = nil) {
    self.answer = answer
    self.status = status
    self.appUserID = appUserID
    self.observedAt = observedAt
  }
}
