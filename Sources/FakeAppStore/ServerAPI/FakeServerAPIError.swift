/// Errors of the App Store Server API, with Apple's numbers and words: *App Store Server API › Error codes*.
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

  var message: String {
    switch self {
    case .generalBadRequest: "Bad request."
    case .invalidRequestRevision: "Invalid request revision."
    case .invalidTransactionID: "Invalid transaction id."
    case .startDateTooFarInPast: "Invalid request. The start date is earlier than the allowed start date."
    case .startDateAfterEndDate:
      "Invalid request. The end date precedes the start date or the dates are equal."
    case .invalidPaginationToken: "Invalid request. The pagination token is invalid."
    case .invalidStartDate: "Invalid request. The start date is invalid."
    case .invalidEndDate: "Invalid request. The end date is invalid."
    case .paginationTokenExpired: "Invalid request. The pagination token is expired."
    case .invalidNotificationType:
      "Invalid request. The notification type or subtype is invalid or the subtype does not belong to the type."
    case .multipleFiltersSupplied:
      "Invalid request. Supply either a transaction id or a notification type, but not both."
    case .invalidTestNotificationToken: "Invalid request. The test notification token is invalid."
    case .invalidSort: "Invalid request. The sort parameter is invalid."
    case .invalidProductType: "Invalid request. The product type parameter is invalid."
    case .invalidProductID: "Invalid request. The product id parameter is invalid."
    case .invalidSubscriptionGroupIdentifier:
      "Invalid request. The subscription group identifier parameter is invalid."
    case .invalidInAppOwnershipType: "Invalid request. The in-app ownership type parameter is invalid."
    case .invalidRevoked: "Invalid request. The revoked parameter is invalid."
    case .invalidStatus: "Invalid request. The status parameter is invalid."
    case .appTransactionIDNotSupported: "Invalid request. This endpoint takes no app transaction id."
    case .generalNotFound: "Not found."
    case .accountNotFound: "Account not found."
    case .appNotFound: "App not found."
    case .originalTransactionIDNotFound: "Original transaction id not found."
    case .originalTransactionIDNotFoundRetryable: "Original transaction id not found. Please try again."
    case .serverNotificationURLNotFound: "No App Store Server Notification URL found for provided app."
    case .testNotificationNotFound: "Either the test notification token is expired or there is none."
    case .transactionIDNotFound: "Transaction id not found."
    case .rateLimitExceeded: "Rate limit exceeded."
    case .generalInternal: "An unknown error occurred."
    case .generalInternalRetryable: "An unknown error occurred. Please try again."
    }
  }
}
