import AppStore
import Subscriptions

/// Checks whether an App Store answers at an endpoint. It sends an empty object, or a request without a
/// token; the reply distinguishes an App Store from another server in its place.
public enum EndpointProbe {
  public enum Result: Hashable, Sendable {
    /// An answer, with the server's clock in whole seconds if it sent one.
    case answered(status: Int, date: Instant?, isAppStore: Bool)
    /// No answer; the text is libcurl's error message.
    case failed(String)
  }

  public enum Service: Sendable {
    case verifyReceipt, serverAPI

    /// Whether the answer is this service's. verifyReceipt replies to any body with 200 and a `status`; the
    /// Server API replies with 401 if the token is missing.
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
