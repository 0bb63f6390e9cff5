import FakeAppStore
import Glibc
import Testing

/// Running sweep whose requests are never answered.
final class SlowSweep: Sendable {
  static let secret = "KEEPTHISSECRET-0123456789abcdef"

  let appStore: ObservedAppStore
  let subtop: Subtop
  let child: Child

  /// - Parameter user: User of the process. Requires root.
  init(variables: [String: String] = [:], user: uid_t? = nil, mayDump: Bool = false) async throws {
    appStore = try await .holding { $0.sharedSecret = Self.secret }
    var subtop = try Subtop()
    (subtop.secret, subtop.variables) = (Self.secret, variables)
    let file = try subtop.file("receipts.jsonl", appStore.receipts(200))
    let imported = try await subtop.run("import", "receipts", file)
    guard imported.ending == .code(0) else { throw NotBegun(said: imported.errors) }
    let configuration = try subtop.file("config.toml", "[sweep]\ntime_limit = \"3h\"\n")
    let arguments = ["sweep", "--all", "--config", configuration] + appStore.options
    let child =
      if let user {
        try subtop.start(arguments, as: user)
      } else if mayDump {
        try subtop.startWithCoreFiles(arguments)
      } else {
        try subtop.start(arguments)
      }
    (self.subtop, self.child) = (subtop, child)
    try await soon("one is asked: \(child.errors)") { appStore.server.traffic.requests > 0 ? true : nil }
  }

  struct NotBegun: Error { let said: String }
}

extension Subtop {
  func start(_ arguments: [String], as user: uid_t) throws -> Child {
    guard let setpriv = Program.installed("setpriv") else { throw ProgramError.missing("setpriv") }
    Self.give(home.path, to: user)
    return try Child(
      setpriv,
      ["--reuid", "\(user)", "--regid", "\(user)", "--clear-groups", try Program.built("subtop").path]
        + arguments,
      environment: environment)
  }

  func startWithCoreFiles(_ arguments: [String]) throws -> Child {
    try Child(
      Program(path: "/bin/sh"),
      ["-c", "ulimit -S -c \"$(ulimit -H -c)\" && exec \"$0\" \"$@\"", try Program.built("subtop").path]
        + arguments, environment: environment)
  }

  private static func give(_ path: String, to user: uid_t) {
    lchown(path, user, user)
    for name in File.names(in: path) { give("\(path)/\(name)", to: user) }
  }

  static let canLookInside: Bool = {
    let can = geteuid() == 0
    if !can { print("SKIPPED: what looks into a process that may not be dumped, which takes root") }
    return can
  }()

  static let canBeOthers: Bool = {
    let can = geteuid() == 0 && Program.installed("setpriv") != nil
    if !can { print("SKIPPED: what needs another user, which takes root and setpriv") }
    return can
  }()
}
