/// Errors of the App Store Server API, with Apple's numbers: *App Store Server API › Error codes*.
public enum FakeServerAPIError: Int, Error, Sendable, Hashable, CaseIterable {
  case generalBadRequest = 4_000_000
  case invalidRequestRevision = 4_000_005
  case invalidTransactionID = 4_000_006
  case startDateTooFarInPast = 4_000_012
  case startDateAfterEndDate = 4_000_013
  case invalidPaginationToken = 4_000_014
  case invalidStartDate = 4_000_015
  case invalidEndDate = 4_000_016
  case paginationTokenExpired = 4_000_017
  case invalidNotificationType = 4_000_018
  case multipleFiltersSupplied = 4_000_019
  case invalidTestNotificationToken = 4_000_020
  case invalidSort = 4_000_021
  case invalidProductType = 4_000_022
  case invalidProductID = 4_000_023
  case invalidSubscriptionGroupIdentifier = 4_000_024
  case invalidInAppOwnershipType = 4_000_026
  case invalidRevoked = 4_000_030
  case invalidStatus = 4_000_031
  case appTransactionIDNotSupported = 4_000_048
  /// Unknown endpoint. Apple publishes no number for it.
  case generalNotFound = 4_040_000
  case accountNotFound = 4_040_001
  case appNotFound = 4_040_003
  case originalTransactionIDNotFound = 4_040_005
  case originalTransactionIDNotFoundRetryable = 4_040_006
  case serverNotificationURLNotFound = 4_040_007
  case testNotificationNotFound = 4_040_008
  case transactionIDNotFound = 4_040_010
  case rateLimitExceeded = 4_290_000
  case generalInternal = 5_000_000
  case generalInternalRetryable = 5_000_001

  /// HTTP's own.
  var status: Int { rawValue / 10_000 }
}
