/// An address that a JSON text is posted to: https anywhere, http on this machine alone, and never redirected.
public struct Webhook: Hashable, Sendable {
  private let endpoint: AppStoreEndpoint

  /// Nil where nothing may be sent to the address.
  public init?(_ text: String) {
    guard let endpoint = try? AppStoreEndpoint(text) else { return nil }
    self.endpoint = endpoint
  }

  /// The address, which often is the secret by which its service knows who may post.
  public var address: String { endpoint.url }

  /// Posts and waits for the answer, which has to be a success. Blocks its thread for no longer than the limit.
  ///
  /// - Parameter limit: milliseconds.
  /// - Returns: what went wrong, without the address; nil where it was taken.
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
