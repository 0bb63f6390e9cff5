import Testing

extension BadInput {
  private static let lumen = "[apps.\"com.example.lumen\"]\nshared_secret_env = \"LUMEN\"\n"
  private static let nothing = "so nothing was imported"
  private static let good = NotificationText().text

  /// Bad imports into a store with two notifications of other chains, where every app's secret is TOPSECRET.
  static let notifications: [BadInput] = [
    BadInput(
      "a wrong password", "import notifications {f}",
      files: ["f": good + "\n\n" + NotificationText(password: "\"TOPSECRETS\"").text], code: 65,
      says: [
        "/f, line 3: its password is not the shared secret of com.example.lumen\n", "1 bad line, \(nothing)",
      ]),
    BadInput(
      "no password", "import notifications {f}",
      files: ["f": NotificationText(password: nil).text + "\n" + NotificationText(password: "null").text],
      code: 65,
      says: [
        "/f, line 1: it has no password, which must be the shared secret of com.example.lumen",
        "/f, line 2: ", "2 bad lines, \(nothing)",
      ]),
    BadInput(
      "bad lines of both sorts, in their order", "import notifications {f}",
      files: [
        "f": NotificationText(password: "\"TOPSECRET2\"").text + "\n{\"password\":\"TOPSECRET\"}\n" + good
      ], code: 65,
      says: [
        "/f, line 1: its password is not the shared secret of com.example.lumen\nsubtop: ",
        "/f, line 2: it is not a server notification: notification_type is missing\nsubtop: 2 bad lines",
      ]),
    BadInput(
      "version 2", "import notifications {f}", files: ["f": "{\"signedPayload\":\"TOPSECRET\"}"], code: 65,
      says: ["/f, line 1: it is not a server notification: it is not a JWS"]),
    BadInput(
      "another app's notification for a chain that is held", "import notifications {f}",
      files: ["f": NotificationText(original: "1", transaction: "2", bundle: "com.example.stranger").text],
      code: 65,
      says: ["/f, line 1: the answer is for another app (bundle id com.example.stranger)", nothing]),
    BadInput(
      "no secret at all", "import notifications {f}", files: ["f": good],
      variables: ["SUBTOP_SHARED_SECRET": Subtop.unset], code: 78,
      says: [
        "cannot check the passwords of notifications for com.example.lumen: its shared secret is missing",
        "set SUBTOP_SHARED_SECRET, or configure it under [apps.\"com.example.lumen\"] in ",
        "/config/subtop/config.toml",
      ]),
    BadInput(
      "an app that is not listed", "import notifications {f} --config {c}",
      files: [
        "c": lumen, "f": good + "\n" + NotificationText(original: "5", bundle: "com.example.other").text,
      ], variables: ["SUBTOP_SHARED_SECRET": Subtop.unset, "LUMEN": "TOPSECRET"], code: 65,
      says: ["line 2: it is for an app that the configuration does not list (bundle id com.example.other)"]),
    BadInput(
      "a secret that is named and not there", "import notifications {f} --config {c}",
      files: ["c": lumen, "f": good], variables: ["SUBTOP_SHARED_SECRET": Subtop.unset], code: 78,
      says: ["cannot read the shared secret of com.example.lumen: $LUMEN is empty or not set"]),
  ]
}

@Suite("Notifications")
struct ImportNotificationsTests {
  private let first = [
    NotificationText(type: "INITIAL_BUY", original: "1").text,
    NotificationText(type: "DID_CHANGE_RENEWAL_PREF", original: "2").text,
  ].joined(separator: "\n")

  private func subtop() async throws -> Subtop {
    var subtop = try Subtop()
    subtop.secret = "TOPSECRET"
    _ = try await subtop.run("import", "notifications", try subtop.file("first", first))
    return subtop
  }

  @Test(arguments: BadInput.notifications)
  func thatAreBadAreNamedAndChangeNothing(_ input: BadInput) async throws {
    var subtop = try await subtop()
    let before = try StoreTables(subtop.store)
    if input.variables["SUBTOP_SHARED_SECRET"] == Subtop.unset { subtop.secret = nil }
    let outcome = try await input.run(on: subtop)
    #expect(outcome.output.isEmpty)
    try expectSilence(subtop, outcome)
    #expect(try StoreTables(subtop.store) == before)
  }

  @Test func areImportedOnceAndCounted() async throws {
    let subtop = try await subtop()
    let file = try subtop.file(
      "more",
      first + "\n" + NotificationText(original: "1", transaction: "11", purchased: 1_750_592_000_000).text
        + "\n" + NotificationText(type: "REFUND", original: "2").text)
    let outcome = try await subtop.run("import", "notifications", file, code: 0)
    #expect(
      outcome.errors == "imported 4 notifications, 2 of them new: 1 new transaction\n"
    )
    #expect(outcome.output.isEmpty)
    let before = try StoreTables(subtop.store)
    let again = try await subtop.run("import", "notifications", file, file)
    #expect(
      again.errors == "imported 8 notifications, none of them new\n")
    #expect(try StoreTables(subtop.store) == before)
    try expectSilence(subtop, again)
  }

  @Test func areImportedWithoutTheirBadLinesOnRequest() async throws {
    var subtop = try Subtop()
    subtop.secret = "TOPSECRET"
    let lines = ["{}", first, NotificationText(password: "\"TOPSECRET0\"", original: "3").text]
    let file = try subtop.file("lines", lines.joined(separator: "\n"))
    let outcome = try await subtop.run("import", "notifications", file, "--skip-invalid", code: 0)
    #expect(outcome.errors.contains("line 1: ") && outcome.errors.contains("line 4: its password is not"))
    #expect(outcome.errors.contains("skipped 2 bad lines"))
    #expect(outcome.errors.contains("imported 2 notifications, 2 of them new"))
    #expect(try await subtop.run("chain", "3").ending == .code(66))
    try expectSilence(subtop, outcome)
  }

  @Test func ofTwoAppsUseTheirOwnSecrets() async throws {
    var subtop = try Subtop()
    subtop.secret = nil
    subtop.variables = ["ONE": "TOPSECRET", "TWO": "TOPSECRET2"]
    let config = try subtop.file(
      "c",
      "[apps.\"one\"]\nshared_secret_env = \"ONE\"\n[apps.\"two\"]\nshared_secret_env = \"TWO\"\n")
    let good = [
      NotificationText(original: "1", bundle: "one").text,
      NotificationText(password: "\"TOPSECRET2\"", original: "2", bundle: "two").text,
    ]
    let swapped = [
      NotificationText(password: "\"TOPSECRET2\"", original: "3", bundle: "one").text,
      NotificationText(original: "4", bundle: "two").text,
    ]
    for (lines, code) in [(good, 0), (swapped, 65)] as [([String], Int32)] {
      let file = try subtop.file("f", lines.joined(separator: "\n"))
      let outcome = try await subtop.run("import", "notifications", file, "--config", config, code: code)
      try expectSilence(subtop, outcome)
    }
  }

  /// The password must only be in the imported file.
  private func expectSilence(_ subtop: Subtop, _ outcome: Outcome) throws {
    let log = (try? File.text(subtop.log)) ?? ""
    #expect(!(outcome.errors + outcome.output + log).contains("TOPSECRET"))
    for suffix in ["", "-wal", "-shm", "-journal"] where File.exists(subtop.store + suffix) {
      #expect(try !File.contains("TOPSECRET", in: subtop.store + suffix))
    }
  }
}
