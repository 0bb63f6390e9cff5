/// The sizes and times of the faults.
public struct FaultSettings: Sendable, Hashable {
  /// Seconds that `Retry-After` asks for.
  public var retryAfter = 1
  /// Where redirects lead; nil is to a page of this server, which counts who comes and answers rightly.
  public var redirectTarget: String?
  /// Bytes of blanks in a gigantic answer.
  public var giganticSize = 80 << 20
  /// Milliseconds between two bytes that drip.
  public var dripInterval: Int64 = 200
  /// Milliseconds by which a slow answer is late.
  public var slowness: Int64 = 2000
  /// Milliseconds after which a stalled or dripping answer is given up, if the client has not gone before.
  public var patience: Int64 = 120_000

  public init() {}
}
