import FakeAppStore
import Glibc

/// A sweep in its midst: requests are under way, up to sixteen at once, and no answer comes for long.
final class SlowSweep: Sendable {
  static let secret = "KEEPTHISSECRET-0123456789abcdef"

  let appStore: ObservedAppStore
  let subtop: Subtop
  let child: Child

  /// - Parameter user: whose process it is, as only root can have it.
  init(receipts: Int = 200, variables: [String: String] = [:], user: uid_t? = nil) async throws {
    appStore = try await ObservedAppStore { ($0.sharedSecret, $0.latency) = (Self.secret, 60_000) }
    var subtop = try Subtop()
    (subtop.secret, subtop.variables) = (Self.secret, variables)
    let file = try subtop.file("receipts.jsonl", appStore.receipts(receipts))
    let imported = try await subtop.run("import", "receipts", file)
    guard imported.ending == .code(0) else { throw NotBegun(said: imported.errors) }
    let arguments = ["sweep", "--all", "--concurrency", "16"] + appStore.options
    let child =
      if let user { try subtop.start(arguments, as: user) } else { try subtop.start(arguments) }
    (self.subtop, self.child) = (subtop, child)
    // It begins with few at once.
    try await soon("one is asked: \(child.errors)") { appStore.server.requestCount > 0 ? true : nil }
  }

  struct NotBegun: Error { let said: String }
}

extension Subtop {
  /// Starts the program as another user, whose the home folder is from here on. Only root can.
  func start(_ arguments: [String], as user: uid_t) throws -> Child {
    guard let setpriv = Program.installed("setpriv") else { throw ProgramError.missing("setpriv") }
    Self.give(home.path, to: user)
    return try Child(
      setpriv,
      ["--reuid", "\(user)", "--regid", "\(user)", "--clear-groups", try Program.built("subtop").path]
        + arguments,
      environment: environment)
  }

  private static func give(_ path: String, to user: uid_t) {
    lchown(path, user, user)
    for name in File.names(in: path) { give("\(path)/\(name)", to: user) }
  }

  /// Whether tests can be other users than the one who runs them.
  static let canBeOthers: Bool = {
    let can = geteuid() == 0 && Program.installed("setpriv") != nil
    if !can { print("SKIPPED: what needs another user, which takes root and setpriv") }
    return can
  }()
}
