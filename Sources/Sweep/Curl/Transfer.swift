/// One POST of a JSON body. The body holds a receipt and a shared secret, so it never describes itself.
package struct Transfer: Sendable, CustomStringConvertible, CustomReflectable {
  package let endpoint: AppStoreEndpoint
  package let body: [UInt8]

  package init(to endpoint: AppStoreEndpoint, body: [UInt8]) {
    self.endpoint = endpoint
    self.body = body
  }

  package var description: String { "POST of \(body.count) bytes to \(endpoint)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// How a transfer ended: with whatever the other side said, or without an answer.
package enum TransferResult: Sendable {
  case answered(HTTPAnswer)
  case failed(TransportError)
}

/// A complete HTTP answer, redirects and errors included.
package struct HTTPAnswer: Sendable, CustomStringConvertible, CustomReflectable {
  package let status: Int
  package let body: [UInt8]
  /// Seconds from the `Retry-After` header, which libcurl also reads in its date form.
  package let retryAfter: Int?

  package init(status: Int, body: [UInt8], retryAfter: Int? = nil) {
    self.status = status
    self.body = body
    self.retryAfter = retryAfter
  }

  package var description: String { "HTTP \(status) with \(body.count) bytes" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
