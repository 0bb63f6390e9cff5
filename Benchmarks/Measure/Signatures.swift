import AppStore
import ArgumentParser
import FakeAppStore
import Glibc
import Subscriptions

/// Times the decoding and verification of signed data on one thread, without a store.
struct Signatures: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Count signatures verified per second on one core.",
    discussion: """
      "known header" is a signed row with a header that was seen before, as nearly all have. "new header" is one whose certificates \
      must be checked. "notification" is a notification of version 2 with its two rows, which has three signatures.
      """)

  @Option(help: "Number of different inputs of each kind.")
  var count = 2000

  @Option(help: "Seconds for each kind.")
  var seconds = 2.0

  func run() throws {
    let now = Instant(milliseconds: 1_767_225_600_000)
    let start = now - 60 * Milliseconds.day
    let people = FakePopulation(subscribers: count, founded: start)
    guard let source = FakeNotifications(of: people),
      let root = Certificate(file: Array(source.rootCertificatePEM.utf8))
    else { throw NoKeys() }
    let known = SignatureVerifier(root: root)
    let bodies = Array(source.bodies(after: start, upTo: now).prefix(count))
    let lines = try bodies.flatMap { body in
      try Self.notification(body, known).rows.compactMap { $0.signed.map { Array($0.text.utf8) } }
    }
    try measure("known header", lines) { _ = try KeptSignedData(decoding: $0).verified(by: known) }
    try measure("new header", lines) {
      _ = try KeptSignedData(decoding: $0).verified(by: SignatureVerifier(root: root))
    }
    try measure("notification", bodies) { _ = try Self.notification($0, known) }
  }

  private static func notification(
    _ body: [UInt8], _ verifier: SignatureVerifier
  ) throws -> SignedNotification {
    guard case .version2(let kept) = try NotificationBody(decoding: body) else { throw NotSigned() }
    return try kept.verified(by: verifier, for: OwnApps())
  }

  private func measure(_ what: String, _ inputs: [[UInt8]], _ body: ([UInt8]) throws -> Void) throws {
    guard !inputs.isEmpty else { throw NotSigned() }
    for input in inputs.prefix(100) { try body(input) }
    let (begin, processor) = (ContinuousClock.now, Self.processorSeconds)
    var done = 0
    while ContinuousClock.now - begin < .seconds(seconds) {
      for _ in 0..<100 {
        try body(inputs[done % inputs.count])
        done += 1
      }
    }
    try Output.write(
      Rate(
        what: what, done: done, seconds: (ContinuousClock.now - begin) / .seconds(1),
        processorSeconds: Self.processorSeconds - processor))
  }

  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  private struct Rate: Encodable {
    let what: String
    let done: Int
    let seconds: Double
    let processorSeconds: Double
  }
}

struct NotSigned: Error, CustomStringConvertible {
  var description: String { "the fake App Store signed nothing" }
}
