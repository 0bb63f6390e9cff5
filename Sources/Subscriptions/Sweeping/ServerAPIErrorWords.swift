/// Descriptions of error codes, from *App Store Server API › Error codes*.
public enum ServerAPIErrorWords {
  /// Returns our own description, since Apple's text came over the network; `nil` if the code is unknown.
  public static func of(_ code: Int) -> String? {
    switch code {
    case 4_040_010: "the transaction id is not found"
    case 4_040_001: "the account is not found"
    case 4_040_003: "the app is not found"
    case 4_040_005: "the original transaction id is not found"
    case 4_040_019: "the app transaction is not found"
    case 4_000_006: "the transaction id is malformed"
    case 4_000_008: "the original transaction id is malformed"
    case 4_000_048: "an app transaction's id is not taken here"
    case 4_000_005: "the revision is not taken any more"
    case 4_000_012, 4_000_013, 4_000_015: "the dates are not taken"
    case 4_000_014, 4_000_017: "the pagination token is not taken any more"
    case 4_040_007: "no address for notifications is set in App Store Connect"
    case 4_040_008: "the test notification is not found"
    case 4_290_000: "the rate limit is exceeded"
    case 5_000_000, 5_000_001, 4_040_002, 4_040_004, 4_040_006: "an error of the App Store's that passes"
    default: nil
    }
  }
}
