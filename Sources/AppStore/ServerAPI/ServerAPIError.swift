import Subscriptions

/// Error of the Server API by its `errorCode`: *App Store Server API › Error codes*.
public struct ServerAPIError: Hashable, Sendable {
  public let code: Int

  /// Decodes an error; `nil` if the body is not one.
  public init?(decoding body: [UInt8]) {
    struct Wire: Decodable { var errorCode: Int? }
    guard body.count <= 64 << 10,
      let code = (try? StrictJSON.decode(Wire.self, from: body, as: "the error"))?.errorCode
    else { return nil }
    self.code = code
  }

  public enum Meaning: Hashable, Sendable {
    /// This environment does not know the transaction; the other one may.
    case elsewhere
    case accountGone
    /// Permanent: asking again about this id will not help.
    case unknownID
    /// The token for the next page is no longer valid.
    case staleToken
    case tooEarly
    case retry
    /// A fault of the request itself.
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

  public var text: String { ServerAPIErrorWords.of(code) ?? "an error that subtop does not know" }
}

extension ServerAPIError: CustomStringConvertible {
  public var description: String { "\(code): \(text)" }
}
