import ArgumentParser
import FakeAppStore
import Glibc
import Subscriptions

/// Prints the notifications of the fake App Store, for clients that post faster than the fake.
struct Notifications: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print different notifications of the fake App Store, one body per line.",
    discussion: "A new authority signs them. Trust the certificate of --write-root.")

  @Option(help: "Number of subscribers.")
  var subscribers: Int

  @Option(help: "Start of the population. Notifications begin after it.")
  var start: String

  @Option(help: "Instant of the last notification.")
  var until: String

  @Option(help: "Maximum number to print.")
  var count = Int.max

  @Option(help: "File for the root certificate.")
  var writeRoot: String

  func run() throws {
    guard let at = Instant(parsing: start), let end = Instant(parsing: until) else {
      throw ValidationError("--start and --until take an instant.")
    }
    let people = FakePopulation(subscribers: subscribers, founded: at)
    guard let notifications = FakeNotifications(of: people) else { throw NoKeys() }
    guard let file = fopen(writeRoot, "w"), fputs(notifications.rootCertificatePEM, file) >= 0,
      fclose(file) == 0
    else { throw Unwritable(path: writeRoot, reason: String(cString: strerror(errno))) }
    for body in notifications.bodies(after: at, upTo: end).prefix(count) {
      try Output.write(body + [UInt8(ascii: "\n")])
    }
  }
}

struct Unwritable: Error, CustomStringConvertible {
  let path: String
  let reason: String
  var description: String { "cannot write \(path): \(reason)" }
}

struct NoKeys: Error, CustomStringConvertible {
  var description: String { "libcrypto makes no keys" }
}
