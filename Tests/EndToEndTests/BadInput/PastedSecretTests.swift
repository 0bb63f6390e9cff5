import Glibc
import Testing

/// Misplaced secrets must not appear in messages or the log.
@Suite("A shared secret that was pasted in the wrong place")
struct PastedSecretTests {
  private static let secret = "9f86d081884c7d659a2feaa0c55ad015"

  /// SUBTOP_SHARED_SECRET is unset, since it would take precedence.
  private static func config(
    _ name: String, _ text: String, says: String = "(hexadecimal digits, not shown)"
  ) -> BadInput {
    BadInput(
      name, "sweep --all --config {c}", files: ["c": text], variables: ["SUBTOP_SHARED_SECRET": Subtop.unset],
      code: 78, says: [says])
  }

  private static func usage(
    _ arguments: String, _ code: Int32 = 64, says: String = "(hexadecimal digits, not shown)"
  ) -> BadInput {
    BadInput(arguments.replacing(secret, with: "SECRET"), arguments, code: code, says: [says])
  }

  private static let places: [BadInput] = [
    config(
      "for a variable's name", "shared_secret_env = \"\(secret)\"\n",
      says:
        "shared_secret_env is not the name of an environment variable but seems to be the secret itself"
    ),
    config(
      "for a file's path", "shared_secret_file = \"\(secret)\"\n",
      says: "shared_secret_file is not the path of a file but seems to be the secret itself"),
    config(
      "below a file's path", "shared_secret_file = \"/secrets/\(secret)\"\n",
      says:
        "cannot read the shared secret of every app: /secrets/(hexadecimal digits, not shown): No such file or directory"
    ),
    config("for certificates", "[sweep]\nca_file = \"\(secret)\"\n"),
    config("for an app", "[apps.\"\(secret)\"]\nx = 1\n"), config("for a key", "\(secret) = 1\n"),
    config("for an address", "production_url = \"\(secret)\"\n"),
    config("without quotation marks", "shared_secret_env = \(secret)\n", says: "is not valid TOML at line 1"),
    usage("sweep --shared-secret=\(secret)", says: "Unknown option '--shared-secret'"),
    usage("sweep \(secret)"), usage("status --store\(secret)"), usage("report \(secret)"),
    usage("status --at \(secret)"), usage("sweep --production-url http://\(secret)"),
    usage("sweep --config \(secret)", 66), usage("chain \(secret)", 66),
    usage("backup /\(secret)/copy", 74),
  ]

  @Test(arguments: places) func isNotEchoed(_ place: BadInput) async throws {
    let subtop = try await SmallStore.copy()
    let outcome = try await place.run(on: subtop)
    let log = (try? File.text(subtop.log)) ?? ""
    for start in stride(from: 0, through: 24, by: 8) {
      let part = Self.secret.dropFirst(start).prefix(8)
      for said in [outcome.errors, outcome.output, log] { #expect(!said.contains(part), "\(said)") }
    }
  }

  private static let key =
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgabcdEFGH0123abcdEFGH0123abcdEFGH0123abcdEF" + "/"
    + "hRANCAATabcdEFGH0123abcdEFGH0123abcdEFGH0123abcdEFGH0123abcdEFGH"
  private static let pem = "-----BEGIN PRIVATE KEY-----\\n\(key)\\n-----END PRIVATE KEY-----"

  @Test(arguments: [
    ("private_key_file", key), ("private_key_env", pem), ("shared_secret_file", "keys/\(key)"),
    ("key_id", key),
  ])
  func aKeyIsNotEchoed(_ name: String, _ text: String) async throws {
    let subtop = try await SmallStore.copy()
    let id = "issuer_id = \"57246542-96fe-1a63-e053-0824d011072a\"\n"
    let rest = name == "key_id" ? "private_key_file = \"/no\"\n" : "key_id = \"2X9R4HXF34\"\n"
    let file = try subtop.file("c.toml", "\(name) = \"\(text)\"\n" + id + rest)
    for command in [["sweep", "--all"], ["doctor"], ["config", "--effective"]] {
      let outcome = try await subtop.run(command + ["--config", file])
      #expect(outcome.ending == .code(78), "\(command): \(outcome)")
      let log = (try? File.text(subtop.log)) ?? ""
      for said in [outcome.errors, outcome.output, log] { #expect(!said.contains("abcdEFGH0123"), "\(said)") }
    }
  }

  @Test func isNotPrintedInTheEffectiveConfiguration() async throws {
    let subtop = try Subtop()
    let text =
      "shared_secret_env = \"A_\(Self.secret)\"\nproduction_url = \"https://example.com/?\(Self.secret)\"\n"
    let outcome = try await subtop.run("config", "--effective", "--config", try subtop.file("c", text))
    #expect(
      outcome.ending == .code(0) && outcome.output.contains("(hexadecimal digits, not shown)"), "\(outcome)")
    #expect(!(outcome.output + outcome.errors).contains(Self.secret.prefix(8)))
  }
}
