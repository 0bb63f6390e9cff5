import AppStore
import FoundationEssentials
import Subscriptions
import TestSupport
import Testing

/// Transactions signed by a test authority, which `root_certificate_file` makes trusted.
@Suite("Signed transactions") struct ImportTransactionsTests {
  private let subtop: Subtop
  private let authority: SigningAuthority
  private let configuration: String

  init() throws {
    subtop = try Subtop()
    let root: String
    (authority, root) = try subtop.signingAuthority()
    configuration = try subtop.file("config.toml", "root_certificate_file = \"\(root)\"\n")
  }

  private static let at = "2025-06-20T00:00:00Z"

  @Test func signedTransactionsProduceFigures() async throws {
    let bare = authority.sign(SignedTransactionFields())
    let wrapped = authority.sign(
      SignedTransactionFields { ($0.transactionId, $0.originalTransactionId, $0.price) = ("9", "9", 4990) })
    let file = try subtop.file(
      "signed", "\(bare)\r\n{\"app_user_id\":\"ann\",\"signedTransactionInfo\":\"\(wrapped)\"}\n")
    let first = try await subtop.run("import", "transactions", file, "--config", configuration, code: 0)
    #expect(first.errors.contains("imported 2 signed rows, 2 with changes: 2 new transactions"))
    try await subtop.run("import", "transactions", file, "--config", configuration, says: ["nothing new"])
    let report = try await subtop.run("report", "active", "--at", Self.at, "--format", "json").json
    let mrr = report["data.mrr"]?.list.first
    #expect(report["data.paid"]?.integer == 2)
    #expect(mrr?["amount_micros"]?.integer == 14_980_000)
    #expect(mrr?["currency"]?.text == "EUR")
    let chain = try await subtop.run("chain", "ann", "--at", Self.at, "--format", "json").json
    let row = chain["lines"]?.list.first?["transactions"]?.list.first
    #expect(row?["price_source"]?.text == "signed" && row?["storefront"]?.text == "DEU")
    let signed = try await subtop.run("chain", "ann", "--signed")
    #expect(signed.output == wrapped + "\n")
  }

  /// A forged line prevents the import unless invalid lines are skipped.
  @Test func aForgeryIsNamed() async throws {
    let good = authority.sign(SignedTransactionFields())
    let forged = try #require(SigningAuthority()).sign(SignedTransactionFields { $0.transactionId = "6" })
    let file = try subtop.file("signed", "\(good)\n\(forged)\n\(good.dropLast(4))\nhello\n")
    let refused = try await subtop.run("import", "transactions", file, "--config", configuration, code: 65)
    for words in [
      "line 2: its certificates do not lead to the trusted root certificate",
      "line 3: its signature does not match its content",
      "line 4: it is not a signed transaction", "3 bad lines, so nothing was imported",
    ] {
      #expect(refused.errors.contains(words), "\(refused.errors)")
    }
    let rest = try await subtop.run(
      "import", "transactions", "--skip-invalid", file, "--config", configuration)
    #expect(rest.ending == .code(0) && rest.errors.contains("1 new transaction"), "\(rest.errors)")
    try await subtop.run("chain", "6", code: 66)
  }

  @Test func anotherAppsRowIsRefused() async throws {
    let text = try File.text(configuration) + "[apps.\"com.example.pro\"]\n"
    let listed = try subtop.file("listed.toml", text)
    let other = authority.sign(
      SignedTransactionFields { ($0.transactionId, $0.bundleId) = ("8", "com.example.other") })
    let file = try subtop.file("signed", "\(authority.sign(SignedTransactionFields()))\n\(other)\n")
    try await subtop.run(
      "import", "transactions", file, "--config", listed, code: 65,
      says: ["line 2: it is for an app that the configuration does not list (bundle id com.example.other)"])
    let rest = try await subtop.run("import", "transactions", "--skip-invalid", file, "--config", listed)
    #expect(rest.ending == .code(0) && rest.errors.contains("1 new transaction"), "\(rest.errors)")
    #expect(try await subtop.run("chain", "8").ending == .code(66))
  }

  @Test func trustsOnlyApplesRoot() async throws {
    try await subtop.run(
      "import", "transactions", try subtop.file("signed", authority.sign(SignedTransactionFields())),
      code: 65, says: ["do not lead to the trusted root"])
  }
}

extension Subtop {
  func signingAuthority() throws -> (authority: SigningAuthority, root: String) {
    let authority = try #require(SigningAuthority())
    let root = Data(authority.root.der).base64EncodedString()
    let pem = "-----BEGIN CERTIFICATE-----\n\(root)\n-----END CERTIFICATE-----\n"
    return (authority, try file("root.pem", pem))
  }
}
