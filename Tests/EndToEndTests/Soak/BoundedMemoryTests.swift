import FoundationEssentials
import Glibc
import Subscriptions
import Testing

/// What a sweep has in flight is bounded by bytes: long answers that come at once cost little more than one of them.
@Suite("Bounded memory") struct BoundedMemoryTests {
  private static let purchases = 8000

  @Test(arguments: [1, 12]) func ofLongAnswersAtOnce(_ count: Int) async throws {
    let server = try AnsweringServer(Self.answer, connections: 12)
    defer { server.close() }
    let subtop = try Subtop()
    let receipts = try subtop.file("receipts.jsonl", (1...count).map(Self.receipt).joined())
    try #require(try await subtop.run("import", "receipts", receipts).ending == .code(0))
    let sweep = try subtop.start([
      "sweep", "--all", "--concurrency", "12", "--format", "json", "--production-url", server.url,
      "--sandbox-url", server.url,
    ])
    var peak = 0
    while !sweep.hasEnded {
      peak = max(peak, Self.peak(of: sweep.pid) ?? 0)
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(try await sweep.ending() == .code(0), "\(sweep.errors)")
    #expect(try JSON(Array(sweep.output.utf8))["validated"]?.integer == count)
    print("memory of a sweep of \(count) answers of \(Self.purchases) purchases at once: \(peak >> 10) MB")
    #expect(peak > 0 && peak < 240 << 10, "kilobytes")
  }

  /// Kilobytes of memory that a process had at the most: proc_pid_status(5).
  private static func peak(of pid: pid_t) -> Int? {
    guard let status = try? File.text("/proc/\(pid)/status"),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    else { return nil }
    return Int(line.filter(\.isNumber))
  }

  /// Of iOS 6, of which many users have one for the same purchase.
  private static func receipt(_ user: Int) -> String {
    let info =
      "{ bid = \"com.example.app\"; transaction-id = 1000; original-transaction-id = 1000; bvrs = \"\(user)\"; }"
    let list = "{ \"purchase-info\" = \"\(Data(info.utf8).base64EncodedString())\"; }"
    let data = Data(list.utf8).base64EncodedString()
    return
      "{\"receipt-data\":\"\(data)\",\"app_user_id\":\"user-\(user)\",\"bundle_id\":\"com.example.app\"}\n"
  }

  /// Eight periods a week, for years.
  private static let answer: String = {
    let day = Milliseconds.day
    let rows = (0..<Int64(purchases)).map { index -> String in
      let start = 1_500_000_000_000 + index * day / 8 * 7
      return """
        {"quantity":"1","product_id":"com.example.weekly","transaction_id":"\(1000 + index)","original_transaction_id":"1000",\
        "purchase_date":"2020-01-01 00:00:00 Etc/GMT","purchase_date_ms":"\(start)",\
        "purchase_date_pst":"2019-12-31 16:00:00 America/Los_Angeles","original_purchase_date":"2020-01-01 00:00:00 Etc/GMT",\
        "original_purchase_date_ms":"1500000000000","original_purchase_date_pst":"2019-12-31 16:00:00 America/Los_Angeles",\
        "expires_date":"2020-01-08 00:00:00 Etc/GMT","expires_date_ms":"\(start + day / 8 * 7)",\
        "expires_date_pst":"2020-01-07 16:00:00 America/Los_Angeles","web_order_line_item_id":"\(500_000 + index)",\
        "is_trial_period":"false","is_in_intro_offer_period":"false","subscription_group_identifier":"200"}
        """
    }
    return """
      {"status":0,"environment":"Production","receipt":{"bundle_id":"com.example.app","in_app":[]},\
      "latest_receipt_info":[\(rows.joined(separator: ","))],"pending_renewal_info":[{"original_transaction_id":"1000",\
      "product_id":"com.example.weekly","auto_renew_product_id":"com.example.weekly","auto_renew_status":"1"}]}
      """
  }()
}
