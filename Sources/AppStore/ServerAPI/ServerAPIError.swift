import FoundationEssentials
import Subscriptions

/// An error of the Server API by its `errorCode`: *App Store Server API › Error codes*.
public struct ServerAPIError: Hashable, Sendable {
  public let code: Int

  /// Nil where the body is no such error.
  public init?(decoding body: [UInt8]) {
    struct Wire: Decodable { var errorCode: Int? }
    guard body.count <= 64 << 10,
      let code = (try? JSONDecoder().decode(Wire.self, from: Data(body)))?.errorCode
    else { return nil }
    self.code = code
  }

  public init(code: Int) { self.code = code }

  /// What is to be done about it.
  public enum Meaning: Hashable, Sendable {
    /// This environment knows no such transaction; the other may.
    case elsewhere
    /// The account was deleted.
    case accountGone
    /// Neither the id nor what it belongs to will be found by asking again.
    case unknownID
    /// The token to go on with is not taken any more.
    case staleToken
    /// A date to begin at is too long ago.
    case tooEarly
    /// It passes.
    case retry
    /// It has to do with how it was asked.
    case puzzling
  }

  public var meaning: Meaning {
    switch code {
    case 4_040_010: .elsewhere
    case 4_040_001: .accountGone
    case 4_040_003, 4_040_005, 4_040_019, 4_000_006, 4_000_008, 4_000_048: .unknownID
    case 4_000_005, 4_000_014, 4_000_017: .staleToken
    case 4_000_012, 4_000_013, 4_000_015: .tooEarly
    case 4_040_002, 4_040_004, 4_040_006, 5_000_000, 5_000_001, 4_290_000: .retry
    default: .puzzling
    }
  }

  /// For a person: our words, since Apple's came over the wire.
  public var text: String {
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
    default: "an error that subtop does not know"
    }
  }
}

extension ServerAPIError: CustomStringConvertible {
  public var description: String { "\(code): \(text)" }
}
