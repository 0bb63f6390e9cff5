import Subscriptions

/// A complete HTTP answer, redirects and errors included.
package struct HTTPAnswer: Sendable, CustomStringConvertible, CustomReflectable {
  package let status: Int
  /// After decompression.
  package let body: [UInt8]
  /// Seconds from the `Retry-After` header, which libcurl also reads in its date form.
  package let retryAfter: Int?
  /// Microseconds from the instant at which the request could be sent, its connection standing, to the last byte.
  package let latency: Int64
  package let isHTTP2: Bool
  /// The other side's clock.
  package let date: Instant?
  /// Before when it wants no more requests, where it said so by the clock.
  package let retryAt: Instant?
  /// What the body, and whatever is made of it, takes of the budget for answers.
  var held: HeldBytes?

  package init(
    status: Int, body: [UInt8], retryAfter: Int? = nil, latency: Int64 = 0, isHTTP2: Bool = false,
    date: Instant? = nil, retryAt: Instant? = nil
  ) {
    (self.status, self.body, self.retryAfter) = (status, body, retryAfter)
    (self.latency, self.isHTTP2, self.date, self.retryAt) = (latency, isHTTP2, date, retryAt)
  }

  package var description: String { "HTTP \(status) with \(body.count) bytes" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
