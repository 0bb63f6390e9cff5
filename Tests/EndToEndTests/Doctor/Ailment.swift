import Glibc
import Testing

/// Defect of an installation, with the doctor's expected diagnosis.
struct Ailment: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var configuration: String?
  var variables: [String: String] = [:]
  var spoil: @Sendable (Subtop) throws -> Void = { _ in }
  var check: String
  var result = "problem"
  var says: [String]
  var code: Int32

  private static let secret = "shared_secret_file = \"{home}/secret\"\n"
  private static let key =
    "issuer_id = \"57246542-96fe-1a63-e053-0824d011072a\"\nkey_id = \"2X9R4HXF34\"\nprivate_key_file = \"{home}/key.p8\"\n"

  private static let reports =
    "reports_issuer_id = \"5\"\nreports_key_id = \"2X9R4HXF34\"\nreports_private_key_file = \"{home}/secret\"\n"

  static let all: [Ailment] = [
    Ailment(
      testDescription: "a configuration that is no TOML", configuration: "= 1\n", check: "configuration",
      says: ["is not valid TOML at line 1"], code: 78),
    Ailment(
      testDescription: "a configuration that others may write", configuration: "",
      spoil: { chmod($0.home / "config/subtop/config.toml", 0o666) }, check: "configuration",
      says: ["the configuration file was not read", "chmod go-w"], code: 77),
    Ailment(
      testDescription: "a configuration with an address for posting that others may read",
      configuration: "[alerts]\nwebhook = \"https://hooks.example.com/x\"\n",
      spoil: { chmod($0.home / "config/subtop/config.toml", 0o644) }, check: "configuration",
      result: "warning", says: ["a webhook's URL", "chmod 600"], code: 0),
    Ailment(
      testDescription: "a reporting currency without rates", configuration: "reporting_currency = \"CHF\"\n",
      check: "currency", result: "warning", says: ["no rate of CHF", "subtop import rates FILE"], code: 0),
    Ailment(
      testDescription: "a program for alerts that is not there",
      configuration: "[alerts]\ncommand = [\"no-such-program\"]\nchurn = \"churn_rate > 6%\"\n",
      check: "alerts", result: "warning",
      says: ["no-such-program", "give its full path"], code: 0),
    Ailment(
      testDescription: "a recipient without alerts",
      configuration: "[alerts]\ncommand = [\"true\"]\n", check: "alerts", result: "warning",
      says: ["but no alert", "subtop help alerts"], code: 0),
    Ailment(
      testDescription: "no secret", variables: ["SUBTOP_SHARED_SECRET": Subtop.unset], check: "secrets",
      says: ["no App Store credentials", "subtop help secrets"], code: 78),
    Ailment(
      testDescription: "a secret that others may read", configuration: secret,
      spoil: { chmod($0.home / "secret", 0o644) }, check: "every app", says: ["chmod 600"], code: 77),
    Ailment(
      testDescription: "a key that is none", configuration: key,
      spoil: { try File.write("-----BEGIN PRIVATE KEY-----\n", to: $0.home / "key.p8") }, check: "every app",
      says: ["not a P-256 private key"], code: 78),
    Ailment(
      testDescription: "an app of the Server API without a key",
      configuration: "[apps.\"com.example.a\"]\nsource = \"server_api\"\n", check: "com.example.a",
      says: ["source = \"server_api\" but no key", "private_key_file"], code: 78),
    Ailment(
      testDescription: "a key for reports that others may read",
      configuration: reports + "vendor_number = 85012345\n", spoil: { chmod($0.home / "secret", 0o644) },
      check: "reports", says: ["the App Store Connect API's private key for reports", "chmod 600"], code: 77),
    Ailment(
      testDescription: "a key for reports without a vendor number", configuration: reports, check: "reports",
      says: ["there is no key for Apple's reports", "vendor_number in "], code: 78),
    Ailment(
      testDescription: "a store that everybody may read", spoil: { chmod($0.store, 0o644) }, check: "store",
      says: ["users other than its owner can read", "chmod 600"], code: 77),
    Ailment(
      testDescription: "a store that is not there", spoil: { unlink($0.store) }, check: "store",
      says: ["there is no store at", "subtop import"], code: 66),
    Ailment(
      testDescription: "a store with a page of noise",
      spoil: { subtop in
        var bytes = try File.bytes(subtop.store)
        let middle = bytes.count / 2 / 4096 * 4096
        for place in middle..<middle + 4096 { bytes[place] = 0xA5 }
        try File.write(bytes, to: subtop.store)
      }, check: "store", says: ["damaged", "subtop restore"], code: 74),
  ]

  func befall(_ subtop: inout Subtop) throws {
    subtop.variables = variables
    for folder in ["config", "config/subtop"] { mkdir(subtop.home / folder, 0o700) }
    try File.write("0123456789abcdef0123456789abcdef\n", to: subtop.home / "secret")
    if let configuration {
      try File.write(
        configuration.replacing("{home}", with: subtop.home.path),
        to: subtop.home / "config/subtop/config.toml")
    }
    try spoil(subtop)
  }
}
