/// A URL that receives JSON messages by POST: https, or http on loopback. Redirects are not followed.
public struct Webhook: Hashable, Sendable {
  private let endpoint: AppStoreEndpoint

  /// Returns `nil` if the text is neither an https URL nor an http URL on loopback.
  public init?(_ text: String) {
    guard let endpoint = try? AppStoreEndpoint(text) else { return nil }
    self.endpoint = endpoint
  }

  /// URL of the webhook. It often contains the token that authorizes the sender.
  public var address: String { endpoint.url }

  /// Posts a message and blocks until it is answered or the limit has passed. Only a 2xx status is a success.
  ///
  /// - Parameter limit: milliseconds.
  /// - Returns: the error without the address, or `nil` on success.
  public func post(_ json: String, within limit: Int64, certificates: CertificateBundle? = nil) -> String? {
    let transfer = Transfer(to: endpoint, body: SecretBytes(Array(json.utf8)))
    switch SingleTransfer.run(transfer, within: limit, certificates: certificates) {
    case .answered(let answer) where (200...299).contains(answer.status): return nil
    case .answered(let answer): return "HTTP \(answer.status)"
    case .failed(let error): return error.text
    case nil: return "nothing was sent"
    }
  }
}
