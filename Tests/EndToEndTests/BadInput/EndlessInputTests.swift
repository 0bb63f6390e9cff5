import Glibc
import Testing

@Suite("Inputs without end")
struct EndlessInputTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Shell command with the program as `$0`. It ends with `exec`, so that signals reach the program.
    let command: String
    let code: Int32
    let says: String
  }

  private static let kinds = ["receipts", "notifications"]

  private static func fed(_ feeder: String, _ arguments: String) -> String {
    "mkfifo \"$TMPDIR/fed\" && { \(feeder) > \"$TMPDIR/fed\" & exec \"$0\" \(arguments) < \"$TMPDIR/fed\"; }"
  }

  private static let cases: [Case] =
    kinds.flatMap { kind in
      [
        Case(
          testDescription: "\(kind): a device", command: "exec \"$0\" import \(kind) /dev/zero", code: 66,
          says: "cannot read /dev/zero: it is a device; pass a file, or - for a pipe"),
        Case(
          testDescription: "\(kind): a device as standard input",
          command: "exec \"$0\" import \(kind) - < /dev/urandom", code: 66,
          says: "cannot read standard input: it is a device"),
        Case(
          testDescription: "\(kind): one line", command: fed("cat /dev/zero", "import \(kind) -"), code: 65,
          says: "standard input, line 1: it is longer than 32 MiB"),
      ]
    }
    + ["", " --skip-invalid"].flatMap { skipping in
      kinds.map { kind in
        Case(
          testDescription: "\(kind): bad lines\(skipping)",
          command: fed("yes", "import \(kind)\(skipping) -"), code: 65,
          says: "standard input has more than 100,000 bad lines and was not read on; nothing was imported")
      }
    } + [
      Case(
        testDescription: "blank lines", command: fed("yes ''", "import receipts -"), code: 65,
        says: "line 1: nothing but white space follows for 4 MiB; what comes after it was not read")
    ]

  @Test(arguments: cases)
  func endInASentence(_ test: Case) async throws {
    let subtop = try Subtop()
    let outcome = try await subtop.shell(test.command)
    #expect(outcome.ending == .code(test.code) && outcome.errors.contains(test.says), "\(outcome.errors)")
    #expect(!File.exists(subtop.store), "no store is made for it")
  }

  /// A regular file whose reads block until the kernel logs something.
  @Test(.enabled(if: access("/proc/kmsg", R_OK) == 0, "only root reads the kernel's messages"))
  func theKernelIsNotWaitedFor() async throws {
    let subtop = try Subtop()
    let child = try subtop.start(["import", "receipts", "/proc/kmsg"])
    #expect(try await child.ending() != .signal(SIGKILL))
    #expect(child.errors.contains("/proc/kmsg"), "\(child.errors)")
    #expect(!File.exists(subtop.store))
  }

  @Test func aPipeThatNobodyWritesToIsWaitedFor() async throws {
    let subtop = try Subtop()
    let pipe = subtop.home / "pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let shell = Program(path: "/bin/sh")
    let stopped = try subtop.start(["import", "responses", pipe])
    // Separate processes stop and feed it, since the program only waits half a minute.
    let stopper = try Child(shell, ["-c", "\(Self.until(stopped, has: pipe)); kill -INT \(stopped.pid)"])
    #expect(try await stopped.ending() == .signal(SIGINT), "\(stopped.errors)")
    #expect(try await stopper.ending() == .code(0))
    #expect(stopped.errors.contains("interrupted: nothing of it was kept"), "\(stopped.errors)")
    let file = try subtop.file("answers", AnswerText().text + "\n")
    let child = try subtop.start(["import", "responses", pipe])
    let feeder = try Child(shell, ["-c", "\(Self.until(child, has: pipe)); cat '\(file)' > '\(pipe)'"])
    #expect(try await child.ending() == .code(0), "\(child.errors)")
    #expect(try await feeder.ending() == .code(0))
    #expect(child.errors.contains("imported 1 answer"))
  }

  private static func until(_ child: Child, has file: String) -> String {
    "while kill -0 \(child.pid) && ! ls -l /proc/\(child.pid)/fd | grep -qF '\(file)'; do sleep 0.05; done"
  }
}
