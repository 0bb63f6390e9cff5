import Glibc
import Testing

/// The C library opens whatever `TZ` names.
@Suite("Time zones of a hostile environment")
struct HostileZoneTests {
  static let zones = [
    ":/etc/passwd", "/etc/passwd", ":/dev/zero", ":/dev/stdin", "::", ":", " ",
    "Europe/../../../../etc/passwd",
    "zone.tab", ":tzdata.zi", "\u{1B}[31m", String(repeating: "A", count: 100_000),
    "CET-1CEST,M3.5.0,M10.5.0/3",
    "<\u{1}>0", "posix/", "Europe",
  ]

  @Test(arguments: zones) func areLeftOut(_ zone: String) async throws {
    let outcome = try await report(zone)
    #expect(outcome.ending == .code(78) || outcome.ending == .code(0), "\(outcome.errors)")
    #expect(!outcome.errors.contains("root:"))
  }

  @Test func noPipeIsOpened() async throws {
    let subtop = try await SmallStore.copy()
    mkfifo(subtop.home / "pipe", 0o600)
    for zone in [":" + subtop.home / "pipe", subtop.home / "pipe"] {
      #expect(try await report(zone).ending != .signal(SIGKILL))
    }
  }

  @Test func oneOfTheDatabaseIsUsed() async throws {
    for zone in ["Europe/Berlin", ":Europe/Berlin"] {
      let outcome = try await report(zone)
      #expect(
        outcome.ending == .code(0) && outcome.output.contains("CE"), "\(outcome.output)\(outcome.errors)")
    }
  }

  /// As systemd and others set it, which saves the C library looking for it.
  @Test(arguments: ["/etc/localtime", ":/etc/localtime"])
  func theMachinesOwnIsUsed(_ zone: String) async throws {
    let (without, outcome) = (try await report(""), try await report(zone))
    #expect(outcome.ending == .code(0), "\(outcome.errors)")
    #expect(outcome.output == without.output)
  }

  @Test(arguments: ["/usr/share/zoneinfo/Europe/Berlin", ":/etc/../etc/localtime", "/tmp/localtime"])
  func noOtherPathIsUsed(_ zone: String) async throws {
    let outcome = try await report(zone)
    #expect(outcome.ending == .code(78) && outcome.errors.contains("there is no local"), "\(outcome.errors)")
  }

  private func report(_ zone: String) async throws -> Outcome {
    var subtop = try await SmallStore.copy()
    subtop.variables["TZ"] = zone
    let config = try subtop.file("config.toml", "time_zones = [\"local\", \"America/Los_Angeles\"]\n")
    let child = try subtop.start(["report", "events", "--at", World.now, "--config", config])
    let ending = try await child.ending()
    return Outcome(command: "report", ending: ending, output: child.output, errors: child.errors)
  }
}
