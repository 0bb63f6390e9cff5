import Subscriptions
import Testing

/// Numbers at the ends of what an answer may hold (`FieldLimits`), which figures are then made of.
@Suite("Hostile numbers")
struct HostileNumberTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var quantity = "1"
    var purchased = "1780000000000"
    var expires = "1782000000000"
    var cancelled: String?
    var price = "9.99"

    init(_ name: String, _ change: (inout Case) -> Void) {
      testDescription = name
      change(&self)
    }
  }

  @Test(arguments: [
    Case("the most of anything") { $0.quantity = "10000" },
    Case("the most of the dearest") {
      ($0.quantity, $0.price) = ("10000", "999999999.999999")
    },
    Case("none") { $0.quantity = "0" },
    Case("the dearest") { $0.price = "999999999.999999" }, Case("for nothing") { $0.price = "0" },
    Case("bought at the beginning of time") { $0.purchased = "1215648000000" },
    Case("over at the end of time") { $0.expires = "4102444799999" },
    Case("from the beginning to the end of time") {
      ($0.purchased, $0.expires) = ("1215648000000", "4102444799999")
    },
    Case("over before it began") { ($0.purchased, $0.expires) = ("4102444799999", "1215648000000") },
    Case("refunded at the beginning of time") { $0.cancelled = "1215648000000" },
    Case("refunded at the end of time") { $0.cancelled = "4102444799999" },
    Case("the most, refunded") { ($0.quantity, $0.cancelled) = ("10000", "1780272000000") },
    Case("no time at all") { ($0.purchased, $0.expires) = ("1780272000000", "1780272000000") },
  ])
  func makeFiguresAndNoCrash(_ test: Case) async throws {
    let subtop = try Subtop()
    for (kind, text) in [
      ("catalog", CatalogText.header + CatalogText.price("gold", test.price)), ("responses", answer(test)),
    ] {
      let outcome = try await subtop.run("import", kind, try subtop.file(kind, text))
      #expect(outcome.ending == .code(0), "\(outcome.errors)")
    }
    for at in [HostileStore.at, "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"] {
      for panel in Panel.allCases {
        for format in at == HostileStore.at ? ["table", "json", "csv"] : ["table"] {
          let outcome = try await subtop.run(
            "report", panel.rawValue, "--format", format, "--at", at, "--window", "3650d")
          #expect(outcome.ending == .code(0), "\(outcome.command): \(outcome.errors)")
        }
      }
    }
    for command in [
      ["status"], ["status", "--format", "json"], ["chain", "1"], ["chain", "1", "--format", "json"],
    ] {
      let outcome = try await subtop.run(command)
      #expect(outcome.ending == .code(0), "\(outcome.command): \(outcome.errors)")
    }
  }

  /// Two periods of one chain, the first as the case has it.
  private func answer(_ test: Case) -> String {
    let cancelled = test.cancelled.map { ",\"cancellation_date_ms\":\"\($0)\"" } ?? ""
    return """
      {"status":0,"environment":"Production","receipt":{"receipt_type":"Production","bundle_id":"com.example.lumen",\
      "request_date_ms":"1780271999000","in_app":[]},"latest_receipt_info":[{"quantity":"\(test.quantity)",\
      "product_id":"gold","transaction_id":"1","original_transaction_id":"1",\
      "purchase_date_ms":"\(test.purchased)","expires_date_ms":"\(test.expires)"\(cancelled)},\
      {"quantity":"\(test.quantity)","product_id":"gold","transaction_id":"2","original_transaction_id":"1",\
      "purchase_date_ms":"1779000000000","expires_date_ms":"1781592000000","is_upgraded":"true"}]}
      """
  }
}
