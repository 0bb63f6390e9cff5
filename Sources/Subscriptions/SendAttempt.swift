/// Attempt of Apple to send a notification: *App Store Server API › sendAttemptItem*.
public struct SendAttempt: Hashable, Sendable, Encodable {
  public var atMs: Instant
  public var result: String

  public init(atMs: Instant, result: String) {
    self.atMs = atMs
    self.result = result
  }

  public var succeeded: Bool { result == "SUCCESS" }
}

extension SendAttempt {
  /// Text for the store: `1767225600000 SUCCESS`, a line for each attempt.
  package static func text(of attempts: [SendAttempt]) -> String {
    attempts.sorted { $0.atMs < $1.atMs }.map { "\($0.atMs.rawValue) \($0.result)" }.joined(separator: "\n")
  }

  package static func attempts(in text: String) -> [SendAttempt] {
    text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let at = Int64(parts[0]) else { return nil }
      return SendAttempt(atMs: Instant(milliseconds: at), result: String(parts[1]))
    }
  }
}
