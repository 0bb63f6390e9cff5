import Testing

extension BadInput {
  private static func config(_ text: String) -> [String: String] { ["c": text] }
  private static let app = "[apps.\"com.example.lumen\"]\n"

  /// Sweeps without a usable secret, which must not send a request.
  static let secrets: [BadInput] = [
    BadInput(
      "no secret", "sweep --all", code: 78,
      says: [
        "there is no shared secret for com.example.lumen, so its receipts were not sent; set SUBTOP_SHARED_SECRET"
      ]),
    BadInput(
      "an empty secret", "sweep --all", variables: ["SUBTOP_SHARED_SECRET": " "], code: 78,
      says: ["there is no shared secret for com.example.lumen"]),
    BadInput(
      "a secret of another app", "sweep --all --config {c}",
      files: ["c": "[apps.\"com.example.other\"]\nshared_secret_env = \"OTHER\"\n"],
      variables: ["OTHER": "TOPSECRET"], code: 78,
      says: ["the configuration does not list com.example.lumen", "so its receipts were not sent"]),
    BadInput(
      "a variable that is not set", "sweep --all --config {c}",
      files: config(app + "shared_secret_env = \"LUMEN_SECRET\"\n"), code: 78,
      says: ["cannot read the shared secret of com.example.lumen: $LUMEN_SECRET is empty or not set"]),
    BadInput(
      "a secret's file that others may read", "sweep --all --config {c}",
      files: ["c": app + "shared_secret_file = \"{s}\"\n", "s": "TOPSECRET\n"], open: ["s"], code: 77,
      says: [
        "the shared secret of com.example.lumen was not read: users other than its owner can read ",
        "/s; run `chmod 600 /",
      ]),
    BadInput(
      "a secret's file that is not there", "sweep --all --config {c}",
      files: config(app + "shared_secret_file = \"{home}/nothing\"\n"), code: 78,
      says: ["cannot read the shared secret of com.example.lumen: ", "/nothing: No such file or directory"]),
    BadInput(
      "a secret's file that is empty", "sweep --all --config {c}",
      files: ["c": app + "shared_secret_file = \"{s}\"\n", "s": "\n"], code: 78,
      says: ["cannot read the shared secret of com.example.lumen: ", "/s is empty"]),
    BadInput(
      "a configured address without encryption", "sweep --all --config {c}",
      files: config("production_url = \"http://example.com/verifyReceipt\"\n"), code: 78,
      says: ["would send receipts unencrypted"]),
  ]
}

@Suite("Bad secrets and configurations")
struct BadSecretTests {
  @Test(arguments: BadInput.secrets)
  func stopASweepBeforeItBegins(_ input: BadInput) async throws {
    var subtop = try await SmallStore.copy()
    subtop.secret = nil
    let before = try StoreTables(subtop.store, leavingOut: StoreTables.sweeps)
    let outcome = try await input.run(on: subtop)
    #expect(
      outcome.output.isEmpty || outcome.output.hasPrefix("No shared secret is set for")
        || outcome.output.hasPrefix("The configuration does not list com.example.lumen."))
    let log = (try? File.text(subtop.log)) ?? ""
    #expect(!(outcome.errors + log).contains("TOPSECRET"), "a secret is never printed")
    #expect(try StoreTables(subtop.store, leavingOut: StoreTables.sweeps) == before)
  }
}
