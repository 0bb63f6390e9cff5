import Subscriptions
import Testing

@Suite struct PastedSecretTests {
  private static let secret = "9f86d081884c7d659a2feaa0c55ad015"

  @Test(arguments: [
    secret, secret.uppercased(), "$" + secret, "/home/me/\(secret)/x", "“\(secret)”", "--\(secret)=1",
    "\(secret)\n\(secret)",
    "é\(secret)é", "key_\(secret)-", String(repeating: "0", count: 32), "e\(secret)", secret + "0",
    secret + secret,
    " \(secret) ", "A_\(secret)",
  ])
  func isLeftOut(_ text: String) {
    let shown = text.withoutSecrets
    #expect(shown.contains("(hexadecimal digits, not shown)"))
    #expect(!shown.lowercased().contains("9f86d0") && !shown.contains("0000"))
  }

  @Test(arguments: [
    "/home/me/MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg",
    "x MHcCAQEEIAbcdefghijklmnopqrstuvwxyz01234567", String(repeating: "aB3d", count: 16),
    "no aB3d/" + String(repeating: "aB3+", count: 15) + "==.",
  ])
  func aKeyIsLeftOut(_ text: String) {
    let shown = text.withoutSecrets
    #expect(shown.contains("(base64, not shown)") && !shown.contains("MIG") && !shown.contains("aB3"))
    #expect(!shown.contains("klmn"))
  }

  @Test(arguments: [
    (secret, true), ("x\(secret)", false), ("/secrets/\(secret)", false),
    (String(repeating: "aB3d", count: 16), true),
    ("/" + String(repeating: "aB3d", count: 16), false), ("-----BEGIN PRIVATE KEY-----\nMIGH", true),
    ("/home/me/.secrets/SubscriptionKey_2X9R4HXF34.p8", false),
  ])
  func recognisesSecrets(_ text: String, _ isSecret: Bool) { #expect(text.isLikeSecret == isSecret) }

  @Test(arguments: [
    "", "1000000123456789", "100000012345678", "2000000123456789-2000000123456789", String(secret.dropLast()),
    "f47ac10b-58cc-4372-a567-0e02b2c3d479", "com.example.app", "é\u{1F600}", "nothing",
    "/var/lib/subtop/folders/of/which/the/names/are/long/Keys2026/and/more/of/them/key",
    "/home/me/.secrets/SubscriptionKey_2X9R4HXF34.p8",
  ])
  func everythingElseStays(_ text: String) {
    #expect(text.withoutSecrets == text)
  }

  @Test func keepsTextAroundASecret() {
    #expect(
      "in \(Self.secret), é".withoutSecrets == "in (hexadecimal digits, not shown), é")
  }
}
