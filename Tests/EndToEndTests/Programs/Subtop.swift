import FakeAppStore

/// What a program said and how it ended.
struct Outcome: Sendable {
  var command: String
  var ending: Ending
  var output: String
  var errors: String

  var json: JSON { get throws { try JSON(Array(output.utf8)) } }
}

/// `subtop` with a home of its own, so that nothing of this machine's user is read or written.
struct Subtop: Sendable {
  let home: Folder
  /// Given as `SUBTOP_SHARED_SECRET`; nil for none.
  var secret: String? = FakeStore.defaultSharedSecret
  /// More of the environment, or other values.
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

  /// As a variable's value: not there at all.
  static let unset = "\u{0}unset"

  /// Starts the program and leaves it running.
  func start(_ arguments: [String], input: String = "/dev/null") throws -> Child {
    try Child(.built("subtop"), arguments, environment: environment, input: input)
  }

  /// Runs the program to its end.
  func run(_ arguments: [String], input: String = "/dev/null") async throws -> Outcome {
    try await start(arguments, input: input).outcome()
  }

  func run(_ arguments: String...) async throws -> Outcome { try await run(arguments) }

  /// Runs a line of the shell, in which `$0` is the program.
  func shell(_ line: String, _ program: String = "subtop") async throws -> Outcome {
    let arguments = ["-c", line, try Program.built(program).path]
    return try await Child(Program(path: "/bin/sh"), arguments, environment: environment).outcome()
  }

  /// A file of the home folder.
  func file(_ name: String, _ text: String, mode: UInt32 = 0o600) throws -> String {
    try File.write(text, to: home / name, mode: mode)
    return home / name
  }
}
