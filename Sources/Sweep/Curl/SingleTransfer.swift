import AppStore
import CCurl
import Dispatch
import Subscriptions

/// Runs a single request, with retries if desired, and blocks the calling thread until the end.
enum SingleTransfer {
  /// Runs a request for at most `limit` milliseconds; accepts an answer of at most 64 KiB.
  static func run(
    _ transfer: Transfer, within limit: Int64, certificates: CertificateBundle?
  ) -> TransferResult {
    let total = Int(clamping: max(1, limit))
    let limits = TransferLimits(
      connect: min(total, 10_000), total: total, answerBytes: 64 << 10, certificates: certificates)
    do throws(TransportError) {
      return try run(transfer, limits)
    } catch {
      return .failed(error)
    }
  }

  /// Runs a request after `wait` milliseconds.
  static func run(
    _ transfer: Transfer, _ limits: TransferLimits, after wait: Int64 = 0
  ) throws(TransportError) -> TransferResult {
    let queue = DispatchQueue(label: "subtop.single-transfer")
    let engine = try TransferEngine<Void>(queue: queue, limits: limits)
    // Initial value only: the engine always reports a result for its single transfer.
    var outcome = TransferResult.failed(TransportError(CURLE_FAILED_INIT))
    queue.sync {
      var isSent = false
      _ = engine.run(concurrency: 1) { elapsed in
        guard !isSent else { return .exhausted }
        guard elapsed >= wait else { return .later(until: wait) }
        isSent = true
        return .transfer(transfer, ())
      } finish: { _, result in
        outcome = result
      }
    }
    return outcome
  }

  private static let tries = 5
  /// Longest wait before another attempt, in milliseconds; if Apple asks for more, its answer is final.
  private static let longestPause = 2 * Milliseconds.minute

  /// Sends a request until `isFinal` returns `true` for an answer, at most `tries` times; returns the last
  /// answer, or throws the error of the last attempt.
  static func run(
    _ limits: TransferLimits, until isFinal: (HTTPAnswer) -> Bool, _ transfer: () throws -> Transfer
  ) throws -> HTTPAnswer {
    var (attempt, wait, pause) = (0, Int64(0), Backoff.withinSweep.base)
    while true {
      attempt += 1
      let result = try run(try transfer(), limits, after: wait)
      wait = pause
      switch result {
      case .answered(let answer):
        wait = max(wait, Int64(answer.retryAfter ?? 0) * Milliseconds.second)
        if isFinal(answer) || attempt >= tries || wait > longestPause { return answer }
      case .failed(let error): if attempt >= tries { throw error }
      }
      pause = min(2 * wait, Backoff.withinSweep.longest)
    }
  }
}

/// Checks whether an App Store answers at an endpoint: sends an empty object to verifyReceipt, or a request
/// without a token to the Server API.
public enum EndpointProbe {
  public enum Result: Hashable, Sendable {
    /// Answer, with the server's clock in whole seconds if the server sent it.
    case answered(status: Int, date: Instant?, isAppStore: Bool)
    /// No complete answer; the text describes the error.
    case failed(String)
  }

  public enum Service: Sendable {
    case verifyReceipt, serverAPI

    /// Whether an answer is plausible: verifyReceipt's 200 with a `status`, or the Server API's 401 or 429.
    func isMeant(by answer: HTTPAnswer) -> Bool {
      switch self {
      case .verifyReceipt:
        answer.status == 200 && (try? VerifyReceiptResponse(decoding: answer.body)) != nil
      case .serverAPI: [401, 429].contains(answer.status)
      }
    }
  }

  /// Asks an endpoint and waits for the answer, at most `limit` milliseconds.
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
      return .answered(status: answer.status, date: answer.date, isAppStore: service.isMeant(by: answer))
    case .failed(let error): return .failed(error.text)
    }
  }
}

/// URL that receives JSON messages by POST: https, or http on loopback; redirects are not followed.
public struct Webhook: Hashable, Sendable {
  private let endpoint: AppStoreEndpoint

  public init?(_ text: String) {
    guard let endpoint = try? AppStoreEndpoint(text) else { return nil }
    self.endpoint = endpoint
  }

  /// URL of the webhook, which often contains a token that authorizes the sender.
  public var address: String { endpoint.url }

  /// Posts a message within `limit` milliseconds; returns `nil` after a 2xx, else an error without the path.
  public func post(_ json: String, within limit: Int64, certificates: CertificateBundle? = nil) -> String? {
    let transfer = Transfer(to: endpoint, body: SecretBytes(Array(json.utf8)))
    switch SingleTransfer.run(transfer, within: limit, certificates: certificates) {
    case .answered(let answer) where (200...299).contains(answer.status): return nil
    case .answered(let answer): return "HTTP \(answer.status)"
    case .failed(let error): return error.text
    }
  }
}
