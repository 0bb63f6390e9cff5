import Subscriptions
import Testing

@Suite("Tables and CSV as promised")
struct TextContractTests {
  @Test(arguments: [
    ("overview", "figure,currency,value"), ("active", "product_id,paid,trial,grace,currency,mrr_micros"),
    (
      "billing-retry",
      "original_transaction_id,app_user_id,product_id,expired_at_ms,days_in_retry,retry_ends_at_ms,storefront"
    ), ("cohorts", "month,lines,months,retained,of,rate,currency,mrr_micros,mrr_of_micros"),
    ("churn", "intent,name,paid,trial"), ("refunds", "product_id,count,currency,amount_micros"),
    (
      "upgrades",
      "original_transaction_id,transaction_id,from_product_id,to_product_id,kind,upgraded_at_ms,confirmed,"
        + "price_micros,currency,prorated_refund_micros,storefront"
    ),
    (
      "events",
      "type,apple_type,reason,original_transaction_id,transaction_id,product_id,new_product_id,effective_at_ms,"
        + "observed_at_ms,observed_after_ms,apple_subtype,environment,app_user_id,period_type,is_trial_conversion,"
        + "is_family_share,effective_precision,detection_lag_ms,notification_type,notified_at_ms,price_micros,currency,"
        + "source,flow,storefront"
    ),
  ])
  func csv(panel: String, header: String) async throws {
    let world = try await World.today.value
    let outcome = try await world.subtop.run("report", panel, "--format", "csv")
    // RFC 4180: every line ends with CR LF, including the last.
    let lines = outcome.output.split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(outcome.ending == .code(0))
    #expect(lines.first.map(String.init) == header)
    #expect(lines.last == "", "the last line ends")
    let rows = lines.dropFirst().dropLast()
    #expect(rows.count > 1)
    let fields = header.split(separator: ",").count
    #expect(rows.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count == fields })
  }

  /// Columns can be summed: amounts have rows of their own per currency, so that counts are not repeated.
  @Test func recoveryCountsOnce() async throws {
    let world = try await World.today.value
    let output = try await world.subtop.run("report", "recovery", "--window", "365d", "--format", "csv")
      .output
    let rows = output.split(separator: "\r\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(rows.contains { !$0[4].isEmpty }, "there is money")
    for (name, group) in Dictionary(grouping: rows, by: { "\($0[0]) \($0[1])" }) {
      #expect(group.count { !$0[2].isEmpty } == 1, "\(name)")
      #expect(
        group.allSatisfy { $0[2].isEmpty != $0[4].isEmpty && $0[4].isEmpty == $0[5].isEmpty }, "\(name)")
      #expect(Set(group.map { $0[4] }).count == group.count, "\(name)")
    }
  }

  @Test(arguments: Panel.allCases)
  func tables(_ panel: Panel) async throws {
    let world = try await World.today.value
    let outcome = try await world.subtop.run("report", panel.rawValue, code: 0)
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output.contains("  as of 20"))
    #expect(!outcome.output.contains("\u{1B}"), "no colours without a terminal")
    let widest = outcome.output.split(separator: "\n").map(\.count).max() ?? 0
    #expect(widest > 40)
  }

  @Test func printsNoErrorForAClosedPipe() async throws {
    let world = try await World.today.value
    let report = "report events --format csv --window 9999d --limit 50000"
    let outcome = try await world.subtop.shell("\"$0\" \(report) | head -n 1")
    #expect(outcome.ending == .code(0) && outcome.output.hasPrefix("type,apple_type"))
    #expect(outcome.errors.isEmpty)
  }
}
