/// One POST of a JSON body, which holds a receipt and a shared secret.
package struct Transfer: Sendable, CustomStringConvertible {
  package let endpoint: AppStoreEndpoint
  package let body: SecretBytes

  package init(to endpoint: AppStoreEndpoint, body: SecretBytes) {
    self.endpoint = endpoint
    self.body = body
  }

  package var description: String { "POST of \(body) to \(endpoint)" }
}

/// How a transfer ended: with whatever the other side said, or without an answer.
package enum TransferResult: Sendable {
  case answered(HTTPAnswer)
  case failed(TransportError)
}
