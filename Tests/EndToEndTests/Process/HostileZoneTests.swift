import Testing

@Suite("The time zone of the environment")
struct HostileZoneTests {
  static let zones = [
    ":/etc/passwd", "Europe/../../../../etc/passwd", "\u{1B}[31m", "Mars/Olympus",
  ]

  @Test(arguments: zones) func fallBackToUTC(_ zone: String) async throws {
    let outcome = try await report(zone)
    #expect(outcome.ending == .code(0) && !outcome.errors.contains("root:"), "\(outcome.errors)")
  }

  @Test(arguments: [":Europe/Berlin", "/usr/share/zoneinfo/Europe/Berlin", "CET-1CEST,M3.5.0,M10.5.0/3"])
  func isUsed(_ zone: String) async throws {
    let outcome = try await report(zone)
    #expect(outcome.ending == .code(0) && outcome.output.contains("CE"), "\(outcome.output)\(outcome.errors)")
  }

  /// systemd sets this value to avoid a lookup.
  @Test func theSystemZoneIsUsed() async throws {
    #expect(try await report(":/etc/localtime").output == report("").output)
  }

  private func report(_ zone: String) async throws -> Outcome {
    var subtop = try await SmallStore.copy()
    subtop.variables["TZ"] = zone
    let config = try subtop.file("config.toml", "time_zones = [\"local\", \"America/Los_Angeles\"]\n")
    return try await subtop.run("report", "events", "--at", World.now, "--config", config)
  }
}
