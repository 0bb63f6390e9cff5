/// One request: a POST of a JSON body, which may hold a receipt and a shared secret, or a GET; with a token where the Server API is asked.
package struct Transfer: Sendable, CustomStringConvertible {
  package let endpoint: AppStoreEndpoint
  /// Behind the endpoint's address.
  package let path: String
  /// Nil of a GET.
  package let body: SecretBytes?
  /// With a NUL at its end.
  package let token: SecretBytes?

  package init(
    to endpoint: AppStoreEndpoint, path: String = "", body: SecretBytes? = nil, token: SecretBytes? = nil
  ) {
    (self.endpoint, self.path, self.body, self.token) = (endpoint, path, body, token)
  }

  package var description: String { "\(body.map { "POST of \($0) to" } ?? "GET from") \(endpoint)" }
}

/// How a transfer ended: with whatever the other side said, or without an answer.
package enum TransferResult: Sendable {
  case answered(HTTPAnswer)
  case failed(TransportError)
}
