/// Archived answer without its receipt, or one row that Apple signed.
public struct ImportedAnswer: Hashable, Sendable {
  public var answer: Answer
  public var status: Int
  public var appUserID: AppUserID?
  /// If `nil`, the answer's `request_date`, else the time of the import.
  public var observedAt: Instant?
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
