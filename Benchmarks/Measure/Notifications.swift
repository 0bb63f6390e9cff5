import ArgumentParser
import FakeAppStore
import Glibc
import Subscriptions

/// Prints the notifications of the fake App Store, for clients that post faster than the fake.
struct Notifications: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the fake App Store's notifications, a body a line, no two of them alike.",
    discussion: "They are signed by an authority that is made for them: trust what --write-root names.")

  @Option(help: "How many subscribers there are.")
  var subscribers: Int

  @Option(help: "When they were founded: the first notification is of what happens after it.")
  var start: String

  @Option(help: "The last instant of which something is told.")
  var until: String

  @Option(help: "How many to print at the most.")
  var count = Int.max

  @Option(help: "The file that the root certificate is written into.")
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
