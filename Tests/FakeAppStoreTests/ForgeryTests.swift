import AppStore
import FakeAppStore
import Subscriptions
import Testing

/// Forged answers about many people, so that every variant of every fault comes up.
@Suite struct ForgeryTests {
  private static let people: [Subscriber] =
    (0..<90).map { Town.population[$0] } + Subscriber.Kind.allCases.map(Town.first)

  private func forged(
    _ fault: AnswerFault, _ look: (Subscriber, HTTPExchange, FakeAnswer) throws -> Void
  )
    async throws
  {
    try await withServer(faults: [FaultRate(.answer(fault), rate: 1)]) { _, port in
      for person in Self.people {
        let endpoint = person.environment == .sandbox ? FakeEndpoint.sandbox : .production
        let question = Town.question(person)
        let exchange = await HTTPExchange.post(question, to: endpoint.rawValue, port: port)
        #expect(exchange.status == 200 && exchange.isWhole)
        try look(person, exchange, Town.store.answer(to: question, endpoint: endpoint, at: Town.now))
      }
    }
  }

  @Test(
    "No reader takes these for data",
    arguments: [
      AnswerFault.empty, .truncated, .wrongTypes, .duplicateKeys, .deepNesting, .invalidUTF8,
    ])
  func areNoData(_ fault: AnswerFault) async throws {
    try await forged(fault) { person, exchange, right in
      #expect(exchange.body != right.body, "subscriber \(person.index)")
      let read = try? VerifyReceiptResponse(decoding: exchange.body).answer
      #expect(read == nil, "subscriber \(person.index)")
    }
  }

  @Test("What has other types is good JSON all the same, of many shapes")
  func haveOtherTypes() async throws {
    var shapes = Set<String>()
    try await forged(.wrongTypes) { person, exchange, _ in
      let value = try #require(exchange.answer, "subscriber \(person.index)")
      let marks = ["was", "were", "status"].map { key in
        value[key].map { key + String(describing: $0).prefix(8) } ?? ""
      }
      shapes.insert(marks.joined() + String(describing: value).prefix(5))
    }
    #expect(shapes.count >= 8, "\(shapes)")
  }

  @Test("Lies are right in everything else, about people of every kind", arguments: Lie.all)
  func lies(_ lie: Lie) async throws {
    try await forged(lie.fault) { person, exchange, right in
      guard right.status == 0, person.kind != .legacy else { return }
      let (told, truth) = (try #require(exchange.answer), try JSONValue(right.body))
      // Whose answer has none of it cannot be lied to about it.
      if let member = lie.member, truth[member] == nil { return }
      #expect(told["status"] == .number(0) && told != truth, "subscriber \(person.index)")
      #expect(lie.holds(told, truth), "subscriber \(person.index)")
    }
  }

  struct Lie: Sendable, CustomTestStringConvertible {
    let fault: AnswerFault
    /// Of the answer, without which there is no lie.
    var member: String?
    /// What was told and what is true.
    let holds: @Sendable (JSONValue, JSONValue) -> Bool
    var testDescription: String { fault.rawValue }

    init(
      _ fault: AnswerFault, member: String? = nil, _ holds: @escaping @Sendable (JSONValue, JSONValue) -> Bool
    ) {
      (self.fault, self.member, self.holds) = (fault, member, holds)
    }

    private static let lists = ["latest_receipt_info", "pending_renewal_info", "latest_receipt"]

    private static func bundle(_ value: JSONValue) -> String? { value["receipt"]?["bundle_id"]?.text }

    static let all = [
      Lie(.anotherBundle) { told, truth in
        bundle(told) != bundle(truth) && (lists + ["environment"]).allSatisfy { told[$0] == truth[$0] }
      },
      Lie(.wrongEnvironment) { told, truth in
        Set([told, truth].compactMap { $0["environment"]?.text }) == ["Production", "Sandbox"]
          && told["receipt"] == truth["receipt"] && lists.allSatisfy { told[$0] == truth[$0] }
      },
      Lie(.anotherReceipt) { told, truth in
        bundle(told) == bundle(truth) && told["environment"] == truth["environment"]
          && told["receipt"]?["in_app"] != truth["receipt"]?["in_app"]
      },
      Lie(.mixedAnswer) { told, truth in
        let count = { (answer: JSONValue) in
          (answer["latest_receipt_info"]?.list.count ?? 0) + (answer["receipt"]?["in_app"]?.list.count ?? 0)
        }
        return bundle(told) == bundle(truth) && count(told) > count(truth)
          && (truth["latest_receipt"] == nil || told["latest_receipt"] == truth["latest_receipt"])
      },
      Lie(.swappedLatestReceipt, member: "latest_receipt") { told, truth in
        told["receipt"] == truth["receipt"] && told["latest_receipt"] != truth["latest_receipt"]
          && told["latest_receipt_info"] == truth["latest_receipt_info"]
      },
      Lie(.garbageLatestReceipt, member: "latest_receipt") { told, truth in
        told["receipt"] == truth["receipt"] && told["latest_receipt"] != truth["latest_receipt"]
          && told["latest_receipt_info"] == truth["latest_receipt_info"]
      },
      Lie(.emptyHistory) { told, truth in
        bundle(told) == bundle(truth) && told["environment"] == truth["environment"]
          && told["receipt"]?["in_app"] == .list([]) && lists.allSatisfy { told[$0] == nil }
      },
      Lie(.clockAhead) { told, truth in
        lists.allSatisfy { told[$0] == truth[$0] }
          && told["receipt"]?["in_app"] == truth["receipt"]?["in_app"]
          && told["receipt"]?["request_date_ms"]?.text
            == "\((Town.now + 2 * Milliseconds.day).rawValue)"
      },
    ]
  }

  @Test("Who may be asked again")
  func finality() {
    let final = Fault.allCases.filter(\.isFinal).map(\.rawValue)
    #expect(final == ["21000", "21003", "21004", "21010", "21150-final", "401"])
  }
}
