import FakeAppStore
import Glibc
import TestSupport
import Testing

/// `subtop doctor`: finds what is wrong, says what mends it, and changes nothing.
@Suite("The doctor") struct DoctorTests {
  @Test func findsNothingWhereAllIsWell() async throws {
    let subtop = try await SmallStore.copy()
    let outcome = try await subtop.run("doctor")
    #expect(outcome.ending == .code(0) && outcome.errors == "")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("problem") } == [])
    let checks = ["configuration", "listen", "every app", "store", "sweeps", "timer", "terminal", "locale"]
    for check in checks {
      #expect(lines.contains { $0.contains(" \(check) ") }, "\(check): \(outcome.output)")
    }
    #expect(outcome.output.contains("is whole: 40 receipts"))
    #expect(outcome.output.contains("the last one ended"))
  }

  @Test(arguments: Ailment.all)
  func saysWhatIsWrong(_ ailment: Ailment) async throws {
    var subtop = try await SmallStore.copy()
    try ailment.befall(&subtop)
    let before = try portrait(subtop)
    let outcome = try await subtop.run("doctor", "--format", "json")
    #expect(outcome.ending == .code(ailment.code) && outcome.errors == "", "\(outcome.errors)")
    let found = try outcome.json["checks"]?.list.filter {
      $0["check"]?.text == ailment.check && $0["result"]?.text == ailment.result
    }
    let says = try #require(found?.first?["says"]?.text, "\(outcome.output)")
    for words in ailment.says { #expect(says.contains(words), "\(says)") }
    let problems = try outcome.json["problems"]?.integer ?? 0
    #expect((problems > 0) == (ailment.code != 0))
    #expect(try portrait(subtop) == before, "something was changed")
    #expect(!outcome.output.contains("0123456789abcdef"))
    let plain = try await subtop.run("doctor")
    #expect(plain.ending == outcome.ending)
    #expect(plain.output.split(separator: "\n").count { $0.hasPrefix("problem") } == problems)
  }

  /// Every file below the home with its mode and content, but for what SQLite keeps beside a store that is open.
  private func portrait(_ subtop: Subtop) throws -> [String: String] {
    func look(_ folder: String) throws -> [String: String] {
      var found: [String: String] = [:]
      for name in File.names(in: folder) where !name.hasSuffix("-shm") && !name.hasSuffix("-wal") {
        let path = "\(folder)/\(name)"
        var status = stat()
        guard lstat(path, &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR {
          found.merge(try look(path)) { $1 }
        } else {
          found[path] = "\(status.st_mode) \(try File.bytes(path).hashValue)"
        }
      }
      return found
    }
    return try look(subtop.home.path)
  }

  // MARK: Sweeps and what starts them

  @Test func saysThatNobodySweeps() async throws {
    let subtop = try Subtop()
    let receipts = try await World.shared.value.receipts(3)
    _ = try await subtop.run(["import", "receipts", try subtop.file("receipts.jsonl", receipts)])
    let outcome = try await subtop.run("doctor")
    #expect(outcome.ending == .code(0))
    #expect(
      outcome.output.contains("warning  sweeps         none has run yet; run `subtop sweep`"),
      "\(outcome.output)")
  }

  /// A systemctl that knows the system's timer, the user's, or neither.
  @Test(arguments: [
    ("[ \"$1\" != --user ]", "subtop-sweep.timer is active"),
    ("[ \"$1\" = --user -o \"$1\" = --version ]", "your subtop-sweep.timer is active"),
    ("[ \"$1\" = --version ]", "subtop-sweep.timer is not active, and something else sweeps"),
    ("exit 1", "systemd is not here"),
  ])
  func looksForTheTimer(_ script: String, _ says: String) async throws {
    var subtop = try await SmallStore.copy()
    mkdir(subtop.home / "bin", 0o700)
    _ = try subtop.file("bin/systemctl", "#!/bin/sh\n\(script)\n", mode: 0o700)
    subtop.variables = ["PATH": "\(subtop.home / "bin"):/usr/bin:/bin"]
    let outcome = try await subtop.run("doctor")
    #expect(outcome.ending == .code(0) && outcome.output.contains(says), "\(outcome.output)")
  }

  @Test(.enabled(if: FakedClock.isThere, "libfaketime is not installed"))
  func saysThatTheLastSweepWasLongAgo() async throws {
    let subtop = try await SmallStore.copy()
    let child = try FakedClock.start(subtop, ["doctor"], ahead: 3)
    defer { FakedClock.tidy(after: child) }
    #expect(try await child.ending() == .code(0))
    #expect(child.output.contains("warning  sweeps"), "\(child.output)")
  }

  // MARK: Online

  @Test func asksNobodyUnlessItIsToldTo() async throws {
    let appStore = try await ObservedAppStore()
    let subtop = try await SmallStore.copy()
    _ = try await subtop.run(["doctor"] + appStore.options)
    #expect(appStore.server.requestCount == 0)
    let outcome = try await subtop.run(["doctor", "--online"] + appStore.options)
    #expect(outcome.ending == .code(0), "\(outcome.output)")
    #expect(appStore.server.requestCount == 2)
    #expect(outcome.output.split(separator: "\n").count { $0.hasPrefix("ok       App Store ") } == 2)
    #expect(outcome.output.contains("this machine's agrees with the App Store's"), "\(outcome.output)")
  }

  @Test func sendsNoSecret() async throws {
    let server = try AnsweringServer("{\"status\":21002}")
    let subtop = try await SmallStore.copy()
    let outcome = try await subtop.run([
      "doctor", "--online", "--production-url", server.url, "--sandbox-url", server.url,
    ])
    server.close()
    #expect(outcome.ending == .code(0), "\(outcome.output)")
    #expect(server.bodies == ["{}", "{}"])
  }

  @Test func saysThatNobodyAnswers() async throws {
    let subtop = try await SmallStore.copy()
    let outcome = try await subtop.run(
      "doctor", "--online", "--production-url", "http://127.0.0.1:1/", "--sandbox-url", "http://127.0.0.1:1/")
    #expect(outcome.ending == .code(69))
    #expect(outcome.output.contains("http://127.0.0.1:1/ does not answer"), "\(outcome.output)")
  }

  @Test(
    .enabled(if: FakedClock.isThere, "libfaketime is not installed"),
    arguments: [(1, Int32(78), "problem  clock"), (-1, 0, "warning  clock")])
  func comparesTheClocks(_ days: Int, _ code: Int32, _ says: String) async throws {
    let appStore = try await ObservedAppStore()
    let subtop = try await SmallStore.copy()
    let child = try FakedClock.start(subtop, ["doctor", "--online"] + appStore.options, ahead: days)
    defer { FakedClock.tidy(after: child) }
    #expect(try await child.ending() == .code(code))
    #expect(child.output.contains(says), "\(child.output)")
  }
}
