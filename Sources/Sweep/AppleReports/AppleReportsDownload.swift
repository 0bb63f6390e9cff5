import AppStore
import Subscriptions

/// Client of the App Store Connect API that downloads reports, one at a time (*Download Sales and Trends
/// Reports*, *Download Finance Reports*).
public final class AppleReportsDownload {
  public enum Answer: Sendable {
    /// Report file, compressed with gzip.
    case report([UInt8])
    case noSales
    case notYetAvailable
    case pastRetention
  }

  public static let daily: [AppleReportKind] = [.sales, .subscription, .events, .subscriber]

  private let key: ServerAPIKey
  public let vendor: String
  private let endpoint: AppStoreEndpoint
  private var limits: TransferLimits
  /// Versions of each kind that Apple has not refused, the newest first.
  private var versions: [AppleReportKind: ArraySlice<String>] = [:]
  private var quota: Double?

  /// Share of an hour's requests that is left to other programs with the same key.
  private static let reserve = 0.05

  public init(_ endpoint: AppStoreEndpoint, key: ServerAPIKey, vendor: String, _ limits: TransferLimits) {
    (self.endpoint, self.key, self.vendor, self.limits) = (endpoint, key, vendor, limits)
    self.limits.answerBytes = 64 << 20
  }

  /// Requests a daily report in the newest version that Apple accepts, or a Finance Detail report.
  public func answer(_ report: AppleReport) throws -> Answer {
    let kind = report.kind
    guard kind != .financeDetail else {
      return try ask(
        "financeReports",
        ["regionCode": report.region, "reportDate": report.fiscalMonth, "reportType": "FINANCE_DETAIL"])
    }
    let type = kind == .events ? "SUBSCRIPTION_EVENT" : kind.rawValue.uppercased()
    while true {
      let left = versions[kind] ?? ["1_4", "1_3", "1_2", "1_1", "1_0"]
      do {
        return try ask(
          "salesReports",
          [
            "frequency": "DAILY", "reportDate": report.through.description, "reportType": type,
            "reportSubType": kind == .subscriber ? "DETAILED" : "SUMMARY", "version": left.first ?? "",
          ])
      } catch AppleReportsProblem.refused(let reason) {
        guard left.count > 1, !reason.lowercased().contains("vendor") else {
          throw AppleReportsProblem.refused(reason)
        }
        versions[kind] = left.dropFirst()
      }
    }
  }

  private func ask(_ resource: String, _ filters: KeyValuePairs<String, String>) throws -> Answer {
    if let quota, quota < Self.reserve { throw AppleReportsProblem.usedUp }
    let query = filters.map { "filter%5B\($0)%5D=\($1)&" }.joined()
    let answer: HTTPAnswer
    do {
      answer = try SingleTransfer.run(limits, until: { $0.status < 500 }) {
        guard let token = key.token(for: nil) else {
          throw SweepError.transport("cannot sign a token for reports")
        }
        return Transfer(
          to: endpoint, path: "/v1/\(resource)?\(query)filter%5BvendorNumber%5D=\(vendor)", token: token)
      }
    } catch let error as TransportError {
      throw AppleReportsProblem.failed(error.description, isUnreachable: error.isUnreachable)
    }
    quota = answer.quota
    let detail = Self.detail(answer.body)
    let reason = detail ?? "HTTP \(answer.status)"
    switch answer.status {
    case 200: return .report(answer.body)
    case 404 where detail?.contains("no sales") == true: return .noSales
    case 404 where detail?.contains("not available yet") == true: return .notYetAvailable
    case 410: return .pastRetention
    case 401: throw AppleReportsProblem.keyRefused(clockAheadMs: answer.date.map(key.ahead))
    case 403: throw AppleReportsProblem.notPermitted(reason)
    case 429: throw AppleReportsProblem.usedUp
    case 500...: throw AppleReportsProblem.failed(reason, isUnreachable: false)
    default: throw AppleReportsProblem.refused(reason)
    }
  }

  /// Returns the text of the first error in an *ErrorResponse*; `nil` if the body contains none.
  private static func detail(_ body: [UInt8]) -> String? {
    struct Wire: Decodable {
      struct Entry: Decodable { var detail: String? }
      var errors: [Entry]?
    }
    guard body.count <= 64 << 10 else { return nil }
    return (try? StrictJSON.decode(Wire.self, from: body, as: "the error"))?.errors?.first?.detail
  }
}

/// Error of a request for a report.
public enum AppleReportsProblem: Error, Hashable, Sendable {
  /// HTTP 401; `clockAheadMs` is this machine's clock minus Apple's, or `nil` if Apple sent no time.
  case keyRefused(clockAheadMs: Int64?)
  case notPermitted(String)
  /// Refused report, version or parameter, or an unexpected answer; with Apple's text or the HTTP status.
  case refused(String)
  /// The key has few requests left in this hour, or none.
  case usedUp
  case failed(String, isUnreachable: Bool)
}
