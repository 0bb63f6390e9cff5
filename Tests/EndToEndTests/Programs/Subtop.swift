import FakeAppStore
import Glibc
import Testing

struct Outcome: Sendable {
  var command: String
  var ending: Ending
  var output: String
  var errors: String

  var json: JSON { get throws { try JSON(Array(output.utf8)) } }

  func expecting(_ code: Int32?, _ says: [String], at location: SourceLocation) -> Outcome {
    if let code {
      #expect(ending == .code(code), "\(command): \(errors)\(output)", sourceLocation: location)
    }
    for words in says { #expect(errors.contains(words), "\(command): \(errors)", sourceLocation: location) }
    return self
  }
}

/// `subtop` with a temporary home folder.
struct Subtop: Sendable {
  let home: Folder
  var secret: String? = FakeStore.defaultSharedSecret
  var variables: [String: String] = [:]

  init() throws { home = try Folder() }

  var store: String { home / "store.sqlite" }
  var log: String { home / "state/subtop/subtop.log" }

  var environment: [String: String] {
    var environment = [
      "HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "xterm-256color",
      "XDG_CONFIG_HOME": home / "config", "XDG_DATA_HOME": home / "data", "XDG_STATE_HOME": home / "state",
      "SUBTOP_STORE": store, "TMPDIR": home.path,
    ]
    environment["SUBTOP_SHARED_SECRET"] = secret
    return environment.merging(variables) { $1 }.filter { $0.value != Self.unset }
  }

  static let unset = "\u{0}unset"

  func start(_ arguments: [String], input: String = "/dev/null") throws -> Child {
    try Child(.built("subtop"), arguments, environment: environment, input: input)
  }

  /// - Parameters:
  ///   - code: Expected exit code; `nil` if any is accepted.
  ///   - says: Expected parts of the messages.
  @discardableResult
  func run(
    _ arguments: [String], input: String = "/dev/null", code: Int32? = nil, says: [String] = [],
    at location: SourceLocation = #_sourceLocation
  ) async throws -> Outcome {
    try await start(arguments, input: input).outcome().expecting(code, says, at: location)
  }

  @discardableResult
  func run(
    _ arguments: String..., code: Int32? = nil, says: [String] = [],
    at location: SourceLocation = #_sourceLocation
  ) async throws -> Outcome {
    try await run(arguments, code: code, says: says, at: location)
  }

  /// Runs a shell command with the program as `$0`.
  @discardableResult
  func shell(
    _ line: String, _ program: String = "subtop", code: Int32? = nil, says: [String] = [],
    at location: SourceLocation = #_sourceLocation
  ) async throws -> Outcome {
    try await startShell(line, program).outcome().expecting(code, says, at: location)
  }

  func startShell(_ line: String, _ program: String = "subtop") throws -> Child {
    let arguments = ["-c", line, try Program.built(program).path]
    return try Child(Program(path: "/bin/sh"), arguments, environment: environment)
  }

  /// Writes the configuration file that commands read by default, and returns its path.
  @discardableResult
  func configure(_ text: String) throws -> String {
    for folder in ["config", "config/subtop"] { mkdir(home / folder, 0o700) }
    return try file("config/subtop/config.toml", text)
  }

  func file(_ name: String, _ text: String, mode: UInt32 = 0o600) throws -> String {
    try File.write(text, to: home / name, mode: mode)
    return home / name
  }
}
