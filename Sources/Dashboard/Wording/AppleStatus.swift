import Screen
import Subscriptions

/// Status of verifyReceipt (*App Store Receipts › status*), or error code of the Server API.
struct AppleStatus: Hashable, Sendable {
  let number: Int

  init(_ number: Int) { self.number = number }

  /// Apple's meaning of the status; `nil` if it is not documented.
  var meaning: String? {
    switch number {
    case 0: "valid"
    case 21000: "bad request"
    case 21001: "no longer sent"
    case 21002: "malformed, or try again"
    case 21003: "not authenticated"
    case 21004: "wrong shared secret"
    case 21005: "unavailable"
    case 21006: "valid, expired"
    case 21007: "sandbox receipt"
    case 21008: "production receipt"
    case 21009, 21100...21199: "internal error"
    case 21010: "account gone"
    default: ServerAPIError(code: number).words
    }
  }

  var name: String { meaning.map { "\(number) \($0)" } ?? "\(number)" }

  var style: Style {
    switch number {
    case 0, 21006: .good
    case 21007, 21008: .info
    case 21002, 21005, 21009, 21100...21199: .warn
    case 4_290_000, 5_000_000, 5_000_001, 4_040_002, 4_040_004, 4_040_006: .warn
    default: .bad
    }
  }
}
