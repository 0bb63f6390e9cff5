/// Where notifications are received, and how much of them.
public struct ListenerOptions: Sendable {
  public var address = "127.0.0.1"
  /// 0 takes a free one.
  public var port = 8990
  /// With what it proves itself over TLS; nil has it speak plain HTTP, for a proxy that speaks TLS, as Apple does.
  public var identity: ListenerIdentity?
  /// Bytes of a body, of which Apple's have 19,000.
  public var largestBody = 256 << 10
  /// Bodies that wait for a commit at the most; Apple sends the others again.
  public var mostWaiting = 4096
  /// Milliseconds that a commit waits for another program's: Apple takes half a minute without an answer for a failure. Nil where
  /// the store is a sweep's as well, which waits for longer: what Apple gave up meanwhile is kept all the same, and known when it
  /// comes again.
  public var patience: Int64? = 5000

  public init() {}
}

/// Why nothing listens.
public struct ListenerProblem: Error, Sendable, CustomStringConvertible {
  public let description: String

  init(_ options: ListenerOptions, _ reason: String) {
    description =
      "cannot listen on \(options.address) port \(options.port): \(reason); choose another port, or 0 for a free one"
  }
}
