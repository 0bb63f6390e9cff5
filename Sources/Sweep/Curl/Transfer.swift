/// A GET, or a POST of a JSON body that may contain a receipt and a shared secret.
package struct Transfer: Sendable, CustomStringConvertible {
  package let endpoint: AppStoreEndpoint
  /// Path appended to the endpoint's URL.
  package let path: String
  /// `nil` for a GET.
  package let body: SecretBytes?
  /// Bearer token for the Server API, terminated by NUL.
  package let token: SecretBytes?

  package init(
    to endpoint: AppStoreEndpoint, path: String = "", body: SecretBytes? = nil, token: SecretBytes? = nil
  ) {
    (self.endpoint, self.path, self.body, self.token) = (endpoint, path, body, token)
  }

  package var description: String { "\(body.map { "POST of \($0) to" } ?? "GET from") \(endpoint)" }
}

package enum TransferResult: Sendable {
  case answered(HTTPAnswer)
  case failed(TransportError)
}
