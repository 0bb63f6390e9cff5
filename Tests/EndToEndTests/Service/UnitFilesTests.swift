import Glibc
import Testing

@Suite(
  "Units of systemd",
  .enabled("it takes systemd-analyze") {
    guard Program.installed("systemd-analyze") != nil else {
      print("SKIPPED: the tests of systemd's units, since systemd-analyze is not installed")
      return false
    }
    return true
  })
struct UnitFilesTests {
  static let folder = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined() + "/data/systemd"

  private let root: Folder

  init() throws { root = try Folder() }

  private func put(_ kind: String) throws -> [String] {
    let units = root / "etc/systemd/system"
    for folder in ["etc", "etc/systemd", "etc/systemd/system", "usr", "usr/bin"] {
      mkdir(root / folder, 0o755)
    }
    try File.write("#!/bin/sh\n", to: root / "usr/bin/subtop", mode: 0o755)
    for target in [
      "basic", "default", "multi-user", "network", "network-online", "paths", "shutdown", "slices", "sockets",
      "sysinit", "timers",
    ] {
      try File.write("[Unit]\nDescription=\(target)\n", to: "\(units)/\(target).target")
    }
    let names = File.names(in: "\(Self.folder)/\(kind)")
    for name in names where name.hasSuffix(".d") {
      mkdir("\(units)/\(name)", 0o755)
      for part in File.names(in: "\(Self.folder)/\(kind)/\(name)") {
        try File.write(File.bytes("\(Self.folder)/\(kind)/\(name)/\(part)"), to: "\(units)/\(name)/\(part)")
      }
    }
    let files = names.filter { !$0.hasSuffix(".d") }
    for name in files { try File.write(File.bytes("\(Self.folder)/\(kind)/\(name)"), to: "\(units)/\(name)") }
    return files
  }

  private func analyze(_ arguments: [String]) async throws -> (ending: Ending, said: String) {
    let program = try #require(Program.installed("systemd-analyze"))
    let child = try Child(
      program, arguments + ["--root=\(root.path)"],
      environment: ["PATH": "/usr/bin:/bin", "SYSTEMD_PAGER": ""])
    let ending = try await child.ending()
    return (ending, child.output + child.errors)
  }

  @Test(arguments: ["system", "user"]) func systemdFindsNothingWrong(_ kind: String) async throws {
    let files = try put(kind)
    #expect(files.count == 8)
    let (ending, said) = try await analyze(["verify", "--man=no"] + files)
    #expect(ending == .code(0) && said == "", "\(said)")
  }

  /// systemd rates an exposure of up to 2.0 as OK; user services have all rights of the user.
  @Test(arguments: ["sweep", "listen", "backup", "fetch"]) func aServiceHasALowExposureScore(
    _ name: String
  ) async throws {
    _ = try put("system")
    let (ending, said) = try await analyze([
      "security", "--offline=true", "--no-pager", "--threshold=19", "subtop-\(name).service",
    ])
    #expect(ending == .code(0), "\(said.suffix(300))")
    #expect(said.contains("Overall exposure level for subtop-\(name).service"))
  }

  @Test(arguments: ["system", "user"]) func startsExistingCommands(_ kind: String) async throws {
    let files = try put(kind).filter { $0.hasSuffix(".service") }
    for file in files {
      let text = try File.text("\(Self.folder)/\(kind)/\(file)")
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
      let words = line.dropFirst("ExecStart=".count).split(separator: " ").map(String.init)
      #expect(words.first == "/usr/bin/subtop")
      let outcome = try await Subtop().run(Array(words.dropFirst()) + ["--help"])
      #expect(outcome.ending == .code(0) && outcome.output.contains("USAGE: subtop \(words[1])"))
    }
  }
}
