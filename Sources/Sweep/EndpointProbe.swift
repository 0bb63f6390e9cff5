import AppStore
import Subscriptions

/// Asks whether an App Store answers, with an empty object or without a token: what it says to that tells it from whatever else may be in
/// its place.
public enum EndpointProbe {
  public enum Result: Hashable, Sendable {
    /// As an App Store does, or as something else that is in its place; with its clock, in whole seconds, where it told it.
    case answered(status: Int, date: Instant?, isAppStore: Bool)
    /// Why not, in libcurl's words.
    case failed(String)
  }

  /// What answers such a request.
  public enum Service: Sendable {
    case verifyReceipt, serverAPI

    /// Apple's verifyReceipt says 200 with a `status` to anything, and its Server API 401 to whoever shows no token.
    func isMeant(by answer: HTTPAnswer) -> Bool {
      switch self {
      case .verifyReceipt:
        answer.status == 200 && (try? VerifyReceiptResponse(decoding: answer.body)) != nil
      case .serverAPI: [401, 429].contains(answer.status)
      }
    }
  }

  /// - Parameter limit: milliseconds.
  public static func ask(
    _ service: Service, at endpoint: AppStoreEndpoint, within limit: Int64, certificates: CertificateBundle?
  ) -> Result {
    let transfer =
      switch service {
      case .verifyReceipt: Transfer(to: endpoint, body: SecretBytes(Array("{}".utf8)))
      case .serverAPI: Transfer(to: endpoint, path: "/inApps/v1/transactions/0")
      }
    switch SingleTransfer.run(transfer, within: limit, certificates: certificates) {
    case .answered(let answer):
      return .answered(
        status: answer.status, date: answer.date, isAppStore: service.isMeant(by: answer))
    case .failed(let error): return .failed(error.text)
    case nil: return .failed("nothing was sent")
    }
  }
}
