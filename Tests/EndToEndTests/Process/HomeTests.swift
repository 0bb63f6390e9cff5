import Glibc
import Testing

/// System services and cron may have no HOME.
@Suite("Without a home in the environment", .enabled(if: Subtop.canBeOthers, "needs root and setpriv"))
struct HomeTests {
  private static let homeless: [String: String] = [
    "HOME": Subtop.unset, "XDG_CONFIG_HOME": Subtop.unset, "XDG_DATA_HOME": Subtop.unset,
    "XDG_STATE_HOME": Subtop.unset,
    "SUBTOP_STORE": Subtop.unset,
  ]

  private func run(
    _ arguments: [String], as user: uid_t, _ variables: [String: String] = [:]
  ) async throws -> Outcome {
    var subtop = try Subtop()
    subtop.variables = Self.homeless.merging(variables) { $1 }
    let child = try subtop.start(arguments, as: user)
    return try await child.outcome()
  }

  @Test func usesTheAccountsHome() async throws {
    let account = try #require(getpwnam("daemon")?.pointee)
    let home = String(cString: account.pw_dir)
    let outcome = try await run(["sweep"], as: account.pw_uid)
    #expect(outcome.ending == .code(66), "\(outcome.errors)")
    #expect(outcome.errors.contains("there is no store at \(home)/.local/share/subtop/subtop.sqlite"))
  }

  @Test(arguments: ["", "relative", "/nonexistent"])
  func aMissingHomeIsNotReplacedByTheTemporaryFolder(_ home: String) async throws {
    let outcome = try await run(["sweep"], as: 54_321, ["HOME": home])
    #expect(outcome.ending == .code(78), "\(outcome.errors)")
    #expect(outcome.errors.contains("set SUBTOP_STORE or XDG_DATA_HOME, or pass --store"))
    #expect(!outcome.errors.contains("/tmp"))
  }
}
