import Subscriptions

/// Asks whether an App Store answers at all, with an empty object: whatever it says to that, it is there.
public enum EndpointProbe {
  public enum Result: Hashable, Sendable {
    /// With its clock, in whole seconds, where it told it.
    case answered(status: Int, date: Instant?)
    /// Why not, in libcurl's words.
    case failed(String)
  }

  /// - Parameter limit: milliseconds.
  public static func ask(
    _ endpoint: AppStoreEndpoint, within limit: Int64, certificates: CertificateBundle?
  ) -> Result {
    let transfer = Transfer(to: endpoint, body: SecretBytes(Array("{}".utf8)))
    switch SingleTransfer.run(transfer, within: limit, certificates: certificates) {
    case .answered(let answer): return .answered(status: answer.status, date: answer.date)
    case .failed(let error): return .failed(error.text)
    case nil: return .failed("nothing was sent")
    }
  }
}
