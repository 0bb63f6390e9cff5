import AppStore
import Subscriptions
import TestSupport
import Testing

@Suite("Signed notifications") struct ImportSignedNotificationsTests {
  private typealias Fields = SignedNotificationFields
  private var subtop: Subtop
  private let authority: SigningAuthority
  private let root: String

  init() throws {
    subtop = try Subtop()
    subtop.secret = "TOPSECRET"
    (authority, root) = try subtop.signingAuthority()
  }

  private func configuration(_ more: String = "") throws -> String {
    try subtop.file("config.toml", "root_certificate_file = \"\(root)\"\n" + more)
  }

  private var bodies: [String] {
    [
      authority.notification(Fields("SUBSCRIBED", "INITIAL_BUY", uuid: Fields.uuid(1))),
      authority.notification(
        Fields(
          "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", uuid: Fields.uuid(2),
          signedDate: 1_750_100_001_000),
        transaction: SignedTransactionFields { $0.signedDate = 1_750_100_000_000 },
        renewal: SignedRenewalInfoFields {
          $0.autoRenewStatus = 0
          $0.signedDate = 1_750_100_000_500
        }), authority.body(Fields("TEST", uuid: Fields.uuid(3), data: .init())),
      NotificationText(original: "5").text,
    ]
  }

  @Test func bothVersionsInOneFile() async throws {
    let file = try subtop.file("bodies", bodies.joined(separator: "\n") + "\n")
    try await subtop.run(
      "import", "notifications", file, "--config", try configuration(), code: 0,
      says: ["imported 4 notifications, 4 of them new: 2 new transactions"])
    let before = try StoreTables(subtop.store)
    let again = try await subtop.run("import", "notifications", file, "--config", try configuration())
    #expect(again.errors.contains("none of them new"))
    #expect(try StoreTables(subtop.store) == before)
    let events = try await subtop.run(
      "report", "events", "--at", "2025-06-20", "--format", "json", "--window", "60d"
    ).json["data.rows"]?.list
    let shown = events?.filter { $0["original_transaction_id"]?.text == "2000000000000001" }.map { row in
      [
        row["type"]?.text, row["apple_type"]?.text, row["apple_subtype"]?.text,
        row["notification_type"]?.text,
      ]
      .map { $0 ?? "-" }.joined(separator: " ")
    }
    #expect(
      shown?.sorted() == [
        "CANCELLATION DID_CHANGE_RENEWAL_STATUS AUTO_RENEW_DISABLED DID_CHANGE_RENEWAL_STATUS",
        "INITIAL_PURCHASE SUBSCRIBED INITIAL_BUY SUBSCRIBED",
      ])
    let chain = try await subtop.run("chain", "2000000000000001", "--format", "json").json
    #expect(
      chain["notifications"]?.list.map { $0["subtype"]?.text } == ["INITIAL_BUY", "AUTO_RENEW_DISABLED"])
  }

  @Test func ofAnAppThatIsListed() async throws {
    let file = try subtop.file("body", bodies[0])
    let listed = "[apps.\"com.example.pro\"]\napple_id = 1234567890\n"
    for (more, code, words) in [
      ("[apps.\"com.example.other\"]\n", 65, "does not list (bundle id com.example.pro)"),
      (listed, 65, "it does not contain its app's Apple id, which should be 1234567890"),
      ("[apps.\"com.example.pro\"]\n", 0, "imported 1 notification"),
      ("[apps.\"com.example.pro\"]\napple_id = \"x\"\n", 78, "apple_id is not a whole number"),
    ] as [(String, Int32, String)] {
      let outcome = try await subtop.run("import", "notifications", file, "--config", try configuration(more))
      #expect(outcome.ending == .code(code) && outcome.errors.contains(words), "\(outcome.errors)")
    }
  }
}
