/// Error of the Server API by its `errorCode`: *App Store Server API › Error codes*.
public struct ServerAPIError: Hashable, Sendable, CustomStringConvertible {
  public let code: Int

  public init(code: Int) { self.code = code }

  /// Consequence of an error for the client.
  public enum Meaning: Hashable, Sendable {
    /// The environment does not know the transaction; the other environment may know it.
    case elsewhere
    case accountGone
    /// Permanent error: another request with this id will fail too.
    case unknownID
    /// The token for the next page is no longer valid.
    case staleToken
    case tooEarly
    case retry
    /// The request or the setup is faulty, or the code is unknown.
    case puzzling
  }

  /// Meanings and messages by code; Apple's text is not used, because it comes over the network.
  private static let table: [(codes: [Int], meaning: Meaning, text: String)] = [
    ([4_040_010], .elsewhere, "the transaction id is not found"),
    ([4_040_001], .accountGone, "the account is not found"),
    ([4_040_003], .unknownID, "the app is not found"),
    ([4_040_005], .unknownID, "the original transaction id is not found"),
    ([4_040_019], .unknownID, "the app transaction is not found"),
    ([4_000_006], .unknownID, "the transaction id is malformed"),
    ([4_000_008], .unknownID, "the original transaction id is malformed"),
    ([4_000_048], .unknownID, "an app transaction id is not accepted here"),
    ([4_000_005], .staleToken, "the revision is no longer accepted"),
    ([4_000_012, 4_000_013, 4_000_015], .tooEarly, "the dates are not accepted"),
    ([4_000_014, 4_000_017], .staleToken, "the pagination token is no longer accepted"),
    ([4_040_007], .puzzling, "no notification URL is set in App Store Connect"),
    ([4_040_008], .puzzling, "the test notification is not found"),
    ([4_290_000], .retry, "the rate limit is exceeded"),
    ([5_000_000, 5_000_001, 4_040_002, 4_040_004, 4_040_006], .retry, "a temporary App Store error"),
  ]

  private var known: (codes: [Int], meaning: Meaning, text: String)? {
    Self.table.first { $0.codes.contains(code) }
  }

  public var meaning: Meaning { known?.meaning ?? .puzzling }

  /// Meaning of the code as a phrase, such as "the account is not found"; `nil` if the code is unknown.
  public var words: String? { known?.text }

  public var text: String { words ?? "an unknown error" }
  public var description: String { "\(code): \(text)" }
}
