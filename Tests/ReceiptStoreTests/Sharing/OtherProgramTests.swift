import Foundation
import GRDB
import ReceiptStore
import Sharing
import Subscriptions
import TestSupport
import Testing

/// Views of a team's schema for Grafana and dbt, and the examples in data/bi.
@Suite(.enabled(if: PostgresServer.programs != nil, "\(PostgresServer.missing)")) struct OtherProgramTests {
  private static let examples =
    #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined() + "/data/bi"

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(Self.examples)/\(name)", encoding: .utf8)
  }

  @Test func panelsOfGrafanaShowTheFigures() throws {
    let lived = try LivedWorld(2)
    let team = try Team(now: lived.last)
    try team.publish(lived.store)
    let board = try JSONSerialization.jsonObject(with: Data(text("grafana.json").utf8)) as? [String: Any]
    let panels = try #require(board?["panels"] as? [[String: Any]])
    let queries = panels.compactMap { (($0["targets"] as? [[String: Any]])?.first)?["rawSql"] as? String }
    #expect(queries.count == 4)
    let (from, to) = ("'2015-01-01T00:00:00Z'", "'2035-01-01T00:00:00Z'")
    for query in queries {
      let plain = query.replacing("$__timeFrom()", with: from).replacing("$__timeTo()", with: to)
        .replacing(/\$__timeFilter\((\w+)\)/) { "\($0.output.1) BETWEEN \(from) AND \(to)" }
      #expect(try !SharedDump.rows(plain, team.server("")).isEmpty, "\(query)")
    }
    // The number of active subscriptions at one instant is that of the panel.
    let at = try #require(
      (0..<60).map { day(-120 + 5 * $0).hourEnd }.first { try paid(lived.store, $0) > 1 })
    let once = queries[0].replacing("$__timeFrom()", with: from).replacing("$__timeTo()", with: to)
      .replacing(/generate_series\(.*?interval '1 day'\) AS day/) { _ in
        "(SELECT to_timestamp(\(at.rawValue) / 1000.0) AS day) AS days"
      }
    #expect(
      try SharedDump.rows("SELECT paid FROM (\(once)) AS found", team.server(""))
        == ["(\(paid(lived.store, at)))"])
  }

  private func paid(_ store: ReceiptStore, _ at: Instant) throws -> Int {
    try store.report(Question(panel: .active, at: at, windowDays: 28)).data["paid"]
  }

  @Test func theSourceOfDBTNamesTheColumns() throws {
    let lived = try LivedWorld(2, .signed)
    let team = try Team(now: lived.last)
    try team.publish(lived.store)
    var (table, count) = ("", 0)
    for line in try text("sources.yml").split(separator: "\n") where line.contains("- name: ") {
      let name = String(line.split(separator: ":")[1].dropFirst())
      if name.hasPrefix("v_") {
        table = name
        #expect(try !SharedDump.rows("SELECT * FROM \(table)", team.server("")).isEmpty)
      } else if name != "subtop" {
        _ = try SharedDump.rows("SELECT \(name) FROM \(table) LIMIT 1", team.server(""))
        count += 1
      }
    }
    #expect(count > 15)
    #expect(try text("sources.yml").contains("schema: subtop_v\(ReceiptStore.publishedVersion)\n"))
    let own = try lived.shelf.raw { try Int.fetchOne($0, sql: "SELECT count(*) FROM v_transactions") }
    #expect(try SharedDump.rows("SELECT * FROM v_transactions", team.server("")).count == own)
  }
}
