import FoundationEssentials
import HTTPServer
import NIOHTTP1
import Subscriptions
import Synchronization

/// Reports of the App Store Connect API: *Download Sales and Trends Reports*, *Download Finance Reports*.
///
/// Daily reports are kept for a year. A month's finance report appears five days after its last daily report.
final class ReportsAPI: Sendable {
  private let population: FakePopulation
  private let check: TokenCheck
  private let options: FakeReports.Options
  private let made = Mutex<FakeReports?>(nil)
  private let requests = Mutex<(hour: Int64, count: Int)>((0, 0))

  /// Error response: *App Store Connect API › ErrorResponse*.
  private struct Refusal: Error {
    let status: Int
    let code: String
    let detail: String

    init(_ status: Int, _ code: String, _ detail: String) {
      (self.status, self.code, self.detail) = (status, code, detail)
    }

    static func invalid(_ name: String, _ advice: String = "") -> Self {
      Self(400, "PARAMETER_ERROR.INVALID", "The \(name) parameter you have specified is invalid.\(advice)")
    }

    static let early = Self(
      404, "NOT_FOUND", "Report is not available yet. Try again after 8 am Pacific Time.")
    static let empty = Self(404, "NOT_FOUND", "There were no sales for the date specified.")
    static let gone = Self(410, "GONE", "The report is no longer available.")
  }

  init(_ population: FakePopulation, check: TokenCheck, _ options: FakeReports.Options) {
    (self.population, self.check, self.options) = (population, check, options)
  }

  func incoming(_ request: HTTPRequest, at path: String) -> IncomingRequest? {
    guard request.method == .GET, ["/v1/salesReports", "/v1/financeReports"].contains(path) else {
      return nil
    }
    return IncomingRequest(subscriber: nil) { fault in
      fault.isOfConnection || [.html, .status(429), .status(500), .status(503)].contains(fault)
    } answer: { _, now, _ in
      self.answer(to: request, isDaily: path == "/v1/salesReports", at: now)
    }
  }

  private func answer(to request: HTTPRequest, isDaily: Bool, at now: Instant) -> HTTPResponse {
    let (hour, most) = (FakeClock.realNow.rawValue / Milliseconds.hour, options.requestsPerHour)
    let count = requests.withLock { requests in
      requests = (hour, requests.hour == hour ? requests.count + 1 : 1)
      return requests.count
    }
    var response: HTTPResponse
    do throws(Refusal) {
      guard check.isOfTeam(bearing: request.headers.first(name: "Authorization"), at: FakeClock.realNow)
      else {
        throw Refusal(401, "NOT_AUTHORIZED", "Provide a properly configured and signed bearer token.")
      }
      guard count <= most else { throw Refusal(429, "RATE_LIMIT_EXCEEDED", "Too many requests this hour.") }
      guard !options.isForbidden else {
        throw Refusal(403, "FORBIDDEN_ERROR", "The API key in use does not allow this request")
      }
      let items = URLComponents(string: "/?" + request.query)?.queryItems ?? []
      let filters = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
      let text = try report(isDaily, FakeReports.newestDay(at: now)) { filters["filter[\($0)]"] ?? "" }
      response = .compressed(text)
    } catch {
      let fault: JSON = [
        "status": .text("\(error.status)"), "code": .text(error.code), "detail": .text(error.detail),
      ]
      response = .json(JSON.object([("errors", .list([fault]))]).bytes)
      response.status = HTTPResponseStatus(statusCode: error.status)
    }
    let budget = "user-hour-lim:\(most);user-hour-rem:\(max(0, most - count));"
    response.headers.add(name: "X-Rate-Limit", value: budget)
    return response
  }

  private static let daily: [String: (kind: AppleReportKind, subtype: String, versions: [String])] = [
    "SALES": (.sales, "SUMMARY", ["1_1", "1_0"]), "SUBSCRIPTION": (.subscription, "SUMMARY", ["1_3"]),
    "SUBSCRIPTION_EVENT": (.events, "SUMMARY", ["1_3"]), "SUBSCRIBER": (.subscriber, "DETAILED", ["1_3"]),
  ]

  private func report(
    _ isDaily: Bool, _ newest: CivilDate, _ filter: (String) -> String
  ) throws(Refusal) -> String {
    guard filter("vendorNumber") == options.vendor else { throw .invalid("vendorNumber") }
    let type = filter("reportType")
    guard isDaily else {
      guard type == "FINANCE_DETAIL", filter("regionCode") == "Z1" else { throw .invalid("reportType") }
      guard let month = CivilMonth(parsing: filter("reportDate")) else { throw .invalid("reportDate") }
      guard month.fiscalDays.upperBound.daysSince1970 + 5 <= newest.daysSince1970 else { throw .early }
      guard let text = reports(upTo: newest).financeDetail(month) else { throw .gone }
      return text
    }
    guard let (kind, subtype, versions) = Self.daily[type] else { throw .invalid("reportType") }
    guard filter("reportSubType") == subtype else { throw .invalid("reportSubType") }
    guard filter("frequency") == "DAILY" else { throw .invalid("frequency") }
    guard versions.contains(filter("version")) else {
      throw .invalid("version", " The latest version for this report is \(versions[0]).")
    }
    guard let day = CivilDate(parsing: filter("reportDate")) else { throw .invalid("reportDate") }
    let age = newest.daysSince1970 - day.daysSince1970
    guard age <= 365 else { throw .gone }
    guard age >= 0, let text = reports(upTo: newest).text(kind, on: day, isFirst: age < 3) else {
      throw .early
    }
    // A report with only its header is empty.
    guard text.dropLast().contains("\n") else { throw .empty }
    return text
  }

  private func reports(upTo newest: CivilDate) -> FakeReports {
    made.withLock { made in
      if let made, made.days.upperBound == newest { return made }
      let first = CivilDate(daysSince1970: newest.daysSince1970 - 400)
      let reports = FakeReports(of: population, days: first...newest, options)
      made = reports
      return reports
    }
  }
}
