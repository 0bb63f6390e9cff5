import AppStore
import FakeAppStore
import Glibc
import Subscriptions
import Testing

@Suite("Operating") struct OperatingTests {
  private static let units = UnitFilesTests.folder + "/system"
  private func commands() async throws -> [String] {
    let lines = try await Subtop().run("help", "operating").output.split(
      separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { !$0.hasPrefix("  apt install") }.prefix { !$0.isEmpty }.map {
      String($0.dropFirst(2))
    }
  }

  @Test func theCommandsNameExistingUnits() async throws {
    let commands = try await commands()
    #expect(commands.count == 10)
    let names = File.names(in: Self.units)
    for command in commands where command.hasPrefix("systemctl") {
      let words = command.split(separator: " ")
      #expect(words.dropLast() == ["systemctl", "enable", "--now"])
      let unit = String(words.last ?? "")
      #expect(names.contains(unit), "\(command)")
      #expect(try File.text("\(Self.units)/\(unit)").contains("[Install]"), "\(command)")
      if unit.hasSuffix(".timer") {
        #expect(names.contains(unit.replacing(".timer", with: ".service")), "\(command)")
      }
    }
    let sandbox = try File.text("\(Self.units)/subtop-.service.d/sandbox.conf")
    for command in commands where command.contains("/credentials/") {
      let path = String(command.split(separator: " ").last ?? "")
      #expect(sandbox.contains("LoadCredential=\(path.split(separator: "/").last ?? ""):\(path)\n"))
    }
  }
}
