import Glibc
import Testing

/// The C library opens any file that `TZ` names.
@Suite("Time zones of a hostile environment")
struct HostileZoneTests {
  static let zones = [
    ":/etc/passwd", ":/dev/zero", "Europe/../../../../etc/passwd", "\u{1B}[31m", "CET-1CEST,M3.5.0,M10.5.0/3",
  ]

  @Test(arguments: zones) func areLeftOut(_ zone: String) async throws {
    let outcome = try await report(zone)
    #expect(outcome.ending == .code(78) || outcome.ending == .code(0), "\(outcome.errors)")
    #expect(!outcome.errors.contains("root:"))
  }

  @Test func noPipeIsOpened() async throws {
    let subtop = try await SmallStore.copy()
    mkfifo(subtop.home / "pipe", 0o600)
    #expect(try await report(":" + subtop.home / "pipe").ending == .code(78))
  }

  @Test func oneOfTheDatabaseIsUsed() async throws {
    let outcome = try await report(":Europe/Berlin")
    #expect(outcome.ending == .code(0) && outcome.output.contains("CE"), "\(outcome.output)\(outcome.errors)")
    // systemd sets this value to avoid a lookup.
    let (without, machines) = (try await report(""), try await report(":/etc/localtime"))
    #expect(machines.ending == .code(0) && machines.output == without.output, "\(machines.errors)")
  }

  @Test(arguments: ["/usr/share/zoneinfo/Europe/Berlin", ":/etc/../etc/localtime"])
  func noOtherPathIsUsed(_ zone: String) async throws {
    let outcome = try await report(zone)
    #expect(outcome.ending == .code(78) && outcome.errors.contains("there is no local"), "\(outcome.errors)")
  }

  private func report(_ zone: String) async throws -> Outcome {
    var subtop = try await SmallStore.copy()
    subtop.variables["TZ"] = zone
    let config = try subtop.file("config.toml", "time_zones = [\"local\", \"America/Los_Angeles\"]\n")
    return try await subtop.run("report", "events", "--at", World.now, "--config", config)
  }
}
