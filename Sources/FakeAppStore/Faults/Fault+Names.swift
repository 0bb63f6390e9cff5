extension Fault {
  // MARK: Connections

  public static let refuse = Fault.connection(.refuse)
  public static let slowHandshake = Fault.connection(.slowHandshake)
  public static let badCertificate = Fault.connection(.badCertificate)

  // MARK: Transport

  public static let reset = Fault.transport(.reset)
  public static let resetMidBody = Fault.transport(.resetMidBody)
  public static let cut = Fault.transport(.cut)
  public static let stall = Fault.transport(.stall)
  public static let drip = Fault.transport(.drip)
  public static let slow = Fault.transport(.slow)
  public static let chunked = Fault.transport(.chunked)
  public static let gigantic = Fault.transport(.gigantic)
  public static let giganticAnnounced = Fault.transport(.giganticAnnounced)
  public static let gzipBomb = Fault.transport(.gzipBomb)

  // MARK: Pages

  public static let tooManyRequests = Fault.page(.tooManyRequests)
  public static let internalServerError = Fault.page(.internalServerError)
  public static let badGateway = Fault.page(.badGateway)
  public static let serviceUnavailable = Fault.page(.serviceUnavailable)
  public static let html = Fault.page(.html)

  // MARK: Statuses

  /// 21002, which Apple also sends when it is in trouble itself.
  public static let malformedOrPassing = Fault.status(.plain(21002))
  public static let unavailable = Fault.status(.plain(21005))
  public static let dataAccess = Fault.status(.plain(21009))
  /// 21100 with `is-retryable` 1.
  public static let retryable = Fault.status(.plain(21100))

  // MARK: Bodies

  public static let empty = Fault.answer(.empty)
  public static let truncated = Fault.answer(.truncated)
  public static let wrongTypes = Fault.answer(.wrongTypes)
  public static let duplicateKeys = Fault.answer(.duplicateKeys)
  public static let deepNesting = Fault.answer(.deepNesting)
  public static let invalidUTF8 = Fault.answer(.invalidUTF8)
  public static let anotherReceipt = Fault.answer(.anotherReceipt)
  public static let mixedAnswer = Fault.answer(.mixedAnswer)
  public static let swappedLatestReceipt = Fault.answer(.swappedLatestReceipt)
  public static let garbageLatestReceipt = Fault.answer(.garbageLatestReceipt)
  public static let anotherBundle = Fault.answer(.anotherBundle)
  public static let wrongEnvironment = Fault.answer(.wrongEnvironment)
  public static let emptyHistory = Fault.answer(.emptyHistory)
  public static let clockAhead = Fault.answer(.clockAhead)

  // MARK: The Server API

  public static let signature = Fault.signed(.signature)
  public static let otherRoot = Fault.signed(.otherRoot)
  public static let otherApp = Fault.signed(.otherApp)
  public static let stranger = Fault.signed(.stranger)
  public static let unauthenticated = Fault.serverError(.unauthenticated)
  public static let rateLimit = Fault.serverError(.rateLimit)
  public static let staleRevision = Fault.serverError(.staleRevision)
  public static let expiredToken = Fault.serverError(.expiredToken)
}
