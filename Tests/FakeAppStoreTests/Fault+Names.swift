import FakeAppStore

/// Short for those that the tests ask for.
extension Fault {
  // MARK: Connections

  static let refuse = Fault.connection(.refuse)

  // MARK: Transport

  static let reset = Fault.transport(.reset)
  static let resetMidBody = Fault.transport(.resetMidBody)
  static let cut = Fault.transport(.cut)
  static let stall = Fault.transport(.stall)
  static let drip = Fault.transport(.drip)
  static let slow = Fault.transport(.slow)
  static let chunked = Fault.transport(.chunked)
  static let gigantic = Fault.transport(.gigantic)
  static let giganticAnnounced = Fault.transport(.giganticAnnounced)
  static let gzipBomb = Fault.transport(.gzipBomb)

  // MARK: Pages

  static let html = Fault.page(.html)

  // MARK: Statuses

  static let unavailable = Fault.status(.plain(21005))

  // MARK: Bodies

  static let empty = Fault.answer(.empty)
  static let truncated = Fault.answer(.truncated)
  static let wrongTypes = Fault.answer(.wrongTypes)
  static let duplicateKeys = Fault.answer(.duplicateKeys)
  static let deepNesting = Fault.answer(.deepNesting)
  static let invalidUTF8 = Fault.answer(.invalidUTF8)
  static let anotherReceipt = Fault.answer(.anotherReceipt)
  static let mixedAnswer = Fault.answer(.mixedAnswer)
  static let swappedLatestReceipt = Fault.answer(.swappedLatestReceipt)
  static let garbageLatestReceipt = Fault.answer(.garbageLatestReceipt)
  static let anotherBundle = Fault.answer(.anotherBundle)
  static let wrongEnvironment = Fault.answer(.wrongEnvironment)
  static let emptyHistory = Fault.answer(.emptyHistory)
  static let clockAhead = Fault.answer(.clockAhead)

  // MARK: The Server API

  static let signature = Fault.signed(.signature)
  static let otherRoot = Fault.signed(.otherRoot)
  static let otherApp = Fault.signed(.otherApp)
  static let stranger = Fault.signed(.stranger)
  static let unauthenticated = Fault.serverError(.unauthenticated)
  static let staleRevision = Fault.serverError(.staleRevision)
  static let expiredToken = Fault.serverError(.expiredToken)
}
