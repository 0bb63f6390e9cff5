import AppStore
import GRDB
import Glibc
import Subscriptions
import TestSupport
import Testing

@Suite("Listening", .serialized) struct ListenTests {
  private typealias Fields = SignedNotificationFields
  private var scene: ListeningScene
  private let configuration: String

  init() throws {
    scene = try ListeningScene()
    configuration = try scene.configuration()
  }

  private var subtop: Subtop { scene.subtop }

  private func listen(store: String? = nil) async throws -> (child: Child, port: Int) {
    let child = try subtop.start(
      ["listen", "--port", "0", "--config", configuration] + (store.map { ["--store", $0] } ?? []))
    let port = try await child.port()
    return (child, port)
  }

  private func purchase(_ number: Int) -> String { scene.purchase(number) }

  private func uuids(_ store: String? = nil) throws -> Set<String> { try scene.uuids(store) }

  private func client(_ port: Int) throws -> LoopbackClient { try #require(LoopbackClient(port: port)) }

  // MARK: Accepted notifications

  @Test func acceptedNotificationsSurviveAKill() async throws {
    let (child, port) = try await listen()
    let answer = try await client(port).post(purchase(1))
    kill(child.pid, SIGKILL)
    #expect(answer.status == 200 && answer.body.isEmpty)
    _ = try await child.ending()
    #expect(try uuids() == [Fields.uuid(1)])
    let chain = try await subtop.run("chain", "30001", "--at", "2025-06-20", "--format", "json").json
    #expect(chain["lines"]?.list.first?["state"]?.text == "active")
    #expect(chain["lines"]?.list.first?["transactions"]?.list.first?["price_source"]?.text == "signed")
  }

  @Test func bothVersionsAtBothPlaces() async throws {
    let (child, port) = try await listen()
    let connection = try client(port)
    #expect(await connection.post(purchase(1)).status == 200)
    #expect(await connection.post(purchase(1), to: "/notifications").status == 200, "it comes once more")
    #expect(await connection.post(NotificationText(original: "5").text).status == 200)
    let wrong = await connection.post(NotificationText(password: "\"WRONG\"", original: "6").text)
    #expect(wrong.status == 400 && wrong.body.contains("its password is not the shared secret of"))
    #expect(
      await connection.post(scene.authority.body(Fields("TEST", uuid: Fields.uuid(2), data: .init()))).status
        == 200
    )
    let metrics = await connection.get("/metrics").body
    for line in [
      "subtop_listen_notifications_total{type=\"SUBSCRIBED\",result=\"kept\"} 1\n",
      "subtop_listen_notifications_total{type=\"SUBSCRIBED\",result=\"replayed\"} 1\n",
      "subtop_listen_notifications_total{type=\"TEST\",result=\"kept\"} 1\n",
      "subtop_listen_notifications_total{type=\"\",result=\"refused\"} 1\n",
      "subtop_listen_commit_seconds_count 4\n", "subtop_listen_backlog 0\n", "# EOF\n",
    ] {
      #expect(metrics.contains(line), "\(metrics)")
    }
    try await child.stop()
    #expect(try uuids() == [Fields.uuid(1), Fields.uuid(2)])
    #expect(child.errors.isEmpty, "\(child.errors)")
    let log = try File.text(subtop.log)
    #expect(log.contains("refused a notification: its password") && !log.contains("WRONG"))
  }

  // MARK: Rejected requests

  private static func post(_ body: String, to path: String = "/") -> String {
    "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  @Test func isRefusedAndNamed() async throws {
    let (child, port) = try await listen()
    let forged = try #require(SigningAuthority()).notification()
    let chunk = "10000\r\n\(String(repeating: "x", count: 65_536))\r\n"
    for (name, status, says, request) in [
      ("a forgery", 400, "its certificates do not lead to the trusted root", Self.post(forged)),
      (
        "a changed one", 400, "its signature does not match its content",
        Self.post(String(purchase(1).dropLast(8)) + "\"}")
      ), ("no JSON", 400, "it is not a server notification", Self.post("hello")),
      ("nothing", 400, "it is not a server notification", Self.post("")),
      ("too much", 413, "longer than 256 KiB", Self.post(String(repeating: "x", count: (256 << 10) + 1))),
      (
        "too much in pieces", 413, "longer than 256 KiB",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
          + String(repeating: chunk, count: 5) + "0\r\n\r\n"
      ), ("another page", 404, "Not found. Send notifications to /.", Self.post("{}", to: "/elsewhere")),
      ("another method", 405, "accepts only POST", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
      ("a metric that is posted", 405, "accepts only GET", Self.post("{}", to: "/metrics")),
    ] {
      let answer = try await client(port).ask(request)
      #expect(answer.status == status && answer.body.contains(says), "\(name): \(answer)")
    }
    #expect(try await client(port).get("/healthz").status == 200)
    #expect(try await client(port).post(purchase(1)).status == 200, "it goes on")
    try await child.stop()
    #expect(try uuids() == [Fields.uuid(1)])
  }

  /// A missing shared secret can be added later, so Apple should retry.
  @Test func asksForARetryIfTheSecretIsMissing() async throws {
    var other = self
    other.scene.subtop.secret = nil
    let (child, port) = try await other.listen()
    #expect(try await client(port).post(NotificationText(original: "5").text).status == 500)
    #expect(child.errors.contains("its shared secret is missing"))
  }

  /// Anyone can send such a notification, so it is rejected without being logged as a failure.
  @Test(arguments: [false, true]) func refusesAnUnlistedApp(hasPrimarySecret: Bool) async throws {
    var other = self
    if !hasPrimarySecret { other.scene.subtop.secret = nil }
    other.scene.subtop.variables["LUMEN"] = "TOPSECRET"
    let apps = """
      [apps."com.example.lumen"]
      shared_secret_env = "LUMEN"
      [apps."com.example.keyless"]
      """
    _ = try scene.configuration(apps)
    let (child, port) = try await other.listen()
    for number in 0..<3 {
      let bundle = "com.example.stranger\(number)"
      let answer = try await client(port).post(NotificationText(bundle: bundle).text)
      #expect(answer.status == 400 && answer.body.contains("does not list (bundle id \(bundle))"))
    }
    let nameless = NotificationText().text.replacing("\"bid\":\"com.example.lumen\",", with: "")
    let answer = try await client(port).post(nameless)
    #expect(answer.status == 400 && answer.body.contains("does not name its app"))
    let keyless = try await client(port).post(NotificationText(bundle: "com.example.keyless").text)
    #expect(keyless.status == (hasPrimarySecret ? 200 : 500), "its secret is the operator's to set")
    #expect(try await client(port).post(NotificationText(original: "5").text).status == 200)
    try await child.stop()
    #expect(!child.errors.contains("stranger"))
  }

  // MARK: Ending and recovery

  /// Every notification answered with 200 must be stored after a stop or a kill.
  @Test(arguments: [SIGTERM, SIGKILL]) func aSignalLosesNoNotifications(_ signal: Int32) async throws {
    let (child, port) = try await listen()
    let bodies = (0..<400).map(purchase)
    let answered = await withTaskGroup(of: Set<String>.self) { group in
      for worker in 0..<8 {
        group.addTask {
          var accepted: Set<String> = []
          guard let client = LoopbackClient(port: port) else { return accepted }
          for number in stride(from: worker, to: bodies.count, by: 8) {
            if number == 200 { kill(child.pid, signal) }
            guard await client.post(bodies[number]).status == 200 else { break }
            accepted.insert(Fields.uuid(number))
          }
          return accepted
        }
      }
      return await group.reduce(into: Set<String>()) { $0.formUnion($1) }
    }
    #expect(try await child.ending() == (signal == SIGKILL ? .signal(signal) : .code(0)), "\(child.errors)")
    #expect(LoopbackClient(port: port) == nil, "nothing listens any more")
    if signal == SIGKILL {
      let (next, _) = try await listen()
      try await next.stop()
    }
    let kept = try uuids()
    #expect(answered.isSubset(of: kept) && answered.count >= 100, "\(answered.count) of \(kept.count)")
  }

  /// While another process writes for long, notifications are answered with 500, then accepted again.
  @Test(.tags(.long)) func aStoreThatIsBusy() async throws {
    let (child, port) = try await listen()
    #expect(try await client(port).post(purchase(1)).status == 200)
    var mayHold = Configuration()
    mayHold.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: subtop.store, configuration: mayHold)
    try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    #expect(try await client(port).post(purchase(2)).status == 500)
    #expect(
      child.errors.contains("could not store a notification") && child.errors.contains("another program"))
    #expect(try await client(port).get("/healthz").status == 200)
    try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
    #expect(try await client(port).post(purchase(2)).status == 200)
    try await child.stop()
  }

  @Test(.enabled(if: SmallDisk.isPermitted, "mounts are not permitted")) func aDiskThatIsFull() async throws {
    let disk = try SmallDisk(megabytes: 8)
    let store = disk / "store.sqlite"
    let (child, port) = try await listen(store: store)
    #expect(try await client(port).post(purchase(1)).status == 200)
    try disk.fill()
    var statuses: [Int] = []
    for number in 2..<40 { statuses.append(try await client(port).post(purchase(number)).status) }
    disk.makeRoom()
    #expect(Set(statuses).isSubset(of: [200, 500]) && statuses.last == 500, "\(statuses)")
    #expect(try await client(port).post(purchase(50)).status == 200, "it goes on")
    try await child.stop()
    let expected = [1, 50] + zip(2..<40, statuses).filter { $0.1 == 200 }.map(\.0)
    #expect(try uuids(store) == Set(expected.map(Fields.uuid)))
  }

  @Test func aPortThatIsTaken() async throws {
    let (child, port) = try await listen()
    let other = subtop.home / "other.sqlite"
    let second = try await subtop.run(
      "listen", "--port", "\(port)", "--config", configuration, "--store", other, code: 1)
    #expect(!File.exists(other), "nothing is made for a listener that cannot listen")
    #expect(second.errors.contains("cannot listen on 127.0.0.1 port \(port): "), "\(second.errors)")
    #expect(second.errors.contains("the port is in use by another program; choose another port"))
    #expect(!second.errors.contains("errno") && !second.errors.contains("descriptor"))
    try await child.stop()
    let third = try subtop.start(["listen", "--port", "\(port)", "--config", configuration])
    try await soon("it says where it listens: \(third.errors)") {
      third.output == "http://127.0.0.1:\(port)\n" ? true : nil
    }
    kill(third.pid, SIGTERM)
  }

  @Test func refusesAnAddressOfAnotherMachine() async throws {
    let (address, words) = ("192.0.2.1", "it is not an address of this machine")
    let outcome = try await subtop.run(
      "listen", "--port", "0", "--bind", address, "--config", configuration, code: 1)
    #expect(!File.exists(subtop.store), "nothing is made for a listener that cannot listen")
    #expect(outcome.errors.contains("cannot listen on \(address) port 0: \(words); pass one"))
    #expect(!outcome.errors.contains("Error") && !outcome.errors.contains("errno"), "\(outcome.errors)")
  }
}
