import FakeAppStore
import FoundationEssentials
import Subscriptions
import TestSupport
import Testing

@Suite("Reports over HTTP", .timeLimit(.minutes(10))) struct ReportsAPITests {
  struct Request: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let status: Int
    let words: String
    var path = "/v1/salesReports"
    var filters: [String: String] = [:]

    init(
      _ description: String, _ status: Int, _ words: String, path: String = "/v1/salesReports",
      _ filters: [String: String] = [:]
    ) {
      (testDescription, self.status, self.words) = (description, status, words)
      (self.path, self.filters) = (path, filters)
    }

    static let daily = [
      "frequency": "DAILY", "reportType": "SUBSCRIBER", "reportSubType": "DETAILED", "version": "1_3",
      "vendorNumber": "85000000", "reportDate": "2026-06-13",
    ]
    static let finance = [
      "reportType": "FINANCE_DETAIL", "regionCode": "Z1", "vendorNumber": "85000000", "reportDate": "2026-07",
    ]

    var target: String {
      let all = (path == "/v1/salesReports" ? Self.daily : Self.finance).merging(filters) { $1 }
      return path + "?" + all.sorted { $0.key < $1.key }.map { "filter[\($0)]=\($1)" }.joined(separator: "&")
    }
  }

  /// It is five in the morning of June 15 in California, so the reports of June 14 have not appeared.
  private static let requests = [
    Request("the newest day", 200, ""),
    Request(
      "sales", 200, "", ["reportType": "SALES", "reportSubType": "SUMMARY", "version": "1_0"]),
    Request(
      "balances", 200, "", ["reportType": "SUBSCRIPTION", "reportSubType": "SUMMARY"]),
    Request("a year ago", 200, "", ["reportDate": "2025-06-13"]),
    Request("over a year ago", 410, "no longer available", ["reportDate": "2025-06-12"]),
    Request("before eight", 404, "Report is not available yet.", ["reportDate": "2026-06-14"]),
    Request("tomorrow", 404, "Report is not available yet.", ["reportDate": "2026-06-16"]),
    Request("an absent day", 404, "Report is not available yet.", ["reportDate": "2026-06-01"]),
    Request("a withdrawn version", 400, "The latest version for this report is 1_3.", ["version": "1_4"]),
    Request("no version", 400, "The version parameter", ["version": ""]),
    Request("another vendor", 400, "The vendorNumber parameter", ["vendorNumber": "1"]),
    Request("weeks", 400, "The frequency parameter", ["frequency": "WEEKLY"]),
    Request("an unknown type", 400, "The reportType parameter", ["reportType": "NEWSSTAND"]),
    Request("another subtype", 400, "The reportSubType parameter", ["reportSubType": "SUMMARY"]),
    Request("no date", 400, "The reportDate parameter", ["reportDate": "June"]),
    Request("a fiscal month", 200, "", path: "/v1/financeReports"),
    Request(
      "the current fiscal month", 404, "Report is not available yet.", path: "/v1/financeReports",
      ["reportDate": "2026-09"]),
    Request(
      "an old fiscal month", 410, "no longer available", path: "/v1/financeReports", ["reportDate": "2024-01"]
    ),
    Request(
      "another finance report", 400, "The reportType parameter", path: "/v1/financeReports",
      ["reportType": "FINANCIAL"]),
  ]

  @Test func answerAsAppleDoes() async throws {
    try await Self.withReports { scene, server in
      for request in Self.requests {
        let exchange = await scene.get(request.target, token: Self.token(scene))
        let body = String(decoding: exchange.body, as: UTF8.self)
        #expect(exchange.status == request.status, "\(request.testDescription): \(body)")
        #expect(exchange.headers["x-rate-limit"]?.hasPrefix("user-hour-lim:3600;user-hour-rem:35") == true)
        let isReport = request.status == 200
        #expect((exchange.headers["content-type"] == "application/a-gzip") == isReport)
        if !isReport {
          #expect(
            body.hasPrefix("{\"errors\":[{") && body.contains(request.words), "\(request.testDescription)")
        }
      }
    }
  }

  @Test func reportsAreCompressedOnce() async throws {
    try await Self.withReports { scene, server in
      for header in ["Accept: application/a-gzip", "Accept-Encoding: gzip"] {
        let target = Request("sales", 200, "").target.replacing("[", with: "%5B").replacing("]", with: "%5D")
        let exchange = await HTTPExchange.post(
          [], to: target, port: scene.port, method: "GET",
          headers: ["Authorization: Bearer \(Self.token(scene))", header])
        #expect(exchange.headers["content-encoding"] == nil)
        let day = ReportTown.day("2026-06-13")
        let expected = FakeReports(of: server.store.population, days: day...day).text(.subscriber, on: day)
        let text = try Self.unzipped(exchange.body)
        #expect(text == expected)
      }
    }
  }

  @Test func daysWithoutSalesAndKeysWithoutRights() async throws {
    let target = Request("", 200, "").target
    try await Self.withReports({ $0.subscribers = 0 }) { scene, _ in
      let exchange = await scene.get(target, token: Self.token(scene))
      #expect(exchange.status == 404)
      let body = String(decoding: exchange.body, as: UTF8.self)
      #expect(body.contains("\"detail\":\"There were no sales for the date specified.\""))
      for token in ["", "a.b.c", Self.token(scene, seconds: 1300)] {
        #expect(await scene.get(target, token: token).status == 401)
      }
    }
    try await Self.withReports({ $0.reports.isForbidden = true }) { scene, _ in
      let exchange = await scene.get(target, token: Self.token(scene))
      #expect(exchange.status == 403)
      #expect(String(decoding: exchange.body, as: UTF8.self).contains("\"code\":\"FORBIDDEN_ERROR\""))
    }
    try await Self.withReports({ $0.reports.requestsPerHour = 2 }) { scene, _ in
      var statuses: [Int?] = []
      for _ in 0..<5 { statuses.append(await scene.get(target, token: Self.token(scene)).status) }
      #expect(statuses.first == 200 && statuses.last == 429)
    }
  }

  @Test func aRestatedReportFirstLacksARow() async throws {
    let (early, late) = (ReportTown.day("2026-06-12"), ReportTown.day("2026-06-01"))
    let change = { (configuration: inout FakeAppStoreConfiguration) in
      configuration.reports.restated = [early, late]
      configuration.reports.absent = []
    }
    try await Self.withReports(change) { scene, server in
      for (day, date, missing) in [(early, "2026-06-12", 1), (late, "2026-06-01", 0)] {
        let target = Request("", 200, "", ["reportDate": date]).target
        let body = await scene.get(target, token: Self.token(scene)).body
        let whole = FakeReports(of: server.store.population, days: day...day).text(.subscriber, on: day)
        let lines = ReportSheet(try Self.unzipped(body)).lines
        #expect(lines == ReportSheet(whole).lines.dropLast(missing))
      }
    }
  }

  private static func withReports(
    _ change: (inout FakeAppStoreConfiguration) -> Void = { _ in },
    _ body: (ServerAPIScene, FakeAppStoreServer) async throws -> Void
  ) async throws {
    try await withServer({
      $0.subscribers = 300
      $0.reports.absent = [ReportTown.day("2026-06-01")]
      change(&$0)
    }) { server, port in try await body(ServerAPIScene(server, port), server) }
  }

  /// Token of a team, which names no app.
  private static func token(_ scene: ServerAPIScene, seconds: Int64 = 1200) -> String {
    scene.token { claims, _ in (claims.bid, claims.exp) = (nil, (claims.iat ?? 0) + seconds) }
  }

  private static func unzipped(_ bytes: [UInt8]) throws -> String {
    let folder = TemporaryFolder()
    let url = URL(filePath: folder.file("report.txt.gz"))
    try Data(bytes).write(to: url)
    try runProgram("/bin/gzip", ["-d", folder.file("report.txt.gz")])
    return String(decoding: try Data(contentsOf: URL(filePath: folder.file("report.txt"))), as: UTF8.self)
  }
}
