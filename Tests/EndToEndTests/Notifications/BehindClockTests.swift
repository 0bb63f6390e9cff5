import Glibc
import Subscriptions
import TestSupport
import Testing

/// Signed data from a correct clock must not be rejected for good while the machine's clock is behind.
@Suite("A clock that is behind", .enabled(if: FakedClock.isThere, "there is no C compiler"))
struct BehindClockTests {
  private typealias Fields = SignedNotificationFields
  private static let advice = "Apple signed it 2 days ahead of this machine's clock; correct the clock"
  private let scene: ListeningScene
  private let configuration: String

  init() throws {
    scene = try ListeningScene()
    configuration = try scene.configuration()
  }

  /// Starts the program with a clock two to three days before the signing date.
  private func start(_ arguments: String...) throws -> Child {
    let signedAt = Instant(milliseconds: 1_750_000_002_000)
    let now = Instant(milliseconds: Int64(time(nil)) * 1000)
    return try FakedClock.start(
      scene.subtop, arguments + ["--config", configuration],
      ahead: -Int((now - signedAt) / Milliseconds.day) - 3)
  }

  @Test func aNotificationIsSentAgain() async throws {
    let child = try start("listen", "--port", "0")
    let port = try await child.port()
    let client = try #require(LoopbackClient(port: port))
    let answer = await client.post(scene.purchase(1))
    #expect(answer.status == 500 && answer.body.contains("send it again"), "\(answer)")
    #expect(child.errors.contains(Self.advice), "\(child.errors)")
    _ = await client.post(scene.purchase(2))
    #expect(child.errors.split(separator: "\n").count == 1, "\(child.errors)")
    try await child.stop()
    #expect(try scene.uuids().isEmpty)
  }
}
