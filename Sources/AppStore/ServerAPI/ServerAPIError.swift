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

  /// For a person.
  public var text: String { ServerAPIErrorWords.of(code) ?? "an error that subtop does not know" }
}

extension ServerAPIError: CustomStringConvertible {
  public var description: String { "\(code): \(text)" }
}
