import Testing

@Suite("Coming from a hosted product") struct HostedExportProgramTests {
  /// Server API tokens are per app, so ids without an app cannot be asked about.
  @Test func idsOfSeveralAppsNameTheirApp() async throws {
    let subtop = try Subtop()
    let file = try subtop.file(
      "rc.csv",
      "original_store_transaction_id,rc_original_app_user_id\n2000000000000001,u\n2000000000000002,v\n")
    #expect(try await subtop.run("import", "ids", file).ending == .code(0))
    let configuration = try subtop.file(
      "c.toml",
      ["a", "b"].map { "[apps.\"com.example.\($0)\"]\nshared_secret_env = \"SECRET_\($0)\"\n" }.joined())
    let refused = try await subtop.run("import", "ids", file, "--config", configuration, code: 65)
    #expect(refused.errors.contains("it names no app, and 2 are configured"), "\(refused.errors)")
    try await subtop.run(
      "import", "ids", file, "--config", configuration, "--bundle", "com.example.a", code: 0)
    let status = try await subtop.run("status", "--format", "json")
    #expect(try status.json["receipts"]?.integer == 2, "those without an app are those with it")
    let receipts = try await subtop.run("import", "catalog", file, "--bundle", "com.example.a")
    #expect(receipts.ending == .code(64) && receipts.errors.contains("--bundle is only for receipts and ids"))
  }

  /// An app that is new in a store with other apps may be mistyped.
  @Test func aNewAppIsNamed() async throws {
    let subtop = try Subtop()
    let file = try subtop.file("ids", "2000000000000001\n")
    let words = "the app com.exmaple is new in the store, which has others, such as com.example;"
    for (app, isNamed) in [("com.example", false), ("com.exmaple", true), ("com.exmaple", false)] {
      let outcome = try await subtop.run("import", "ids", file, "--bundle", app)
      #expect(outcome.ending == .code(0) && outcome.errors.contains(words) == isNamed, "\(outcome.errors)")
    }
    let configuration = try subtop.file("config.toml", "[apps.\"com.known\"]\n")
    let several = try subtop.file(
      "several", "original_transaction_id,bundle_id\n22,com.known\n33,com.third\n44,com.fourth\n")
    let outcome = try await subtop.run("import", "ids", several, "--config", configuration)
    for (app, isNamed) in [("com.known", false), ("com.third", true), ("com.fourth", true)] {
      #expect(outcome.errors.contains("the app \(app) is new") == isNamed, "\(outcome.errors)")
    }
  }
}
