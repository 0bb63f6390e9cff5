import Glibc
import Testing

@Suite("Inputs without end")
struct EndlessInputTests {

  private static func fed(_ feeder: String, _ arguments: String) -> String {
    "mkfifo \"$TMPDIR/fed\" && { \(feeder) > \"$TMPDIR/fed\" & exec \"$0\" \(arguments) < \"$TMPDIR/fed\"; }"
  }

  private static let cases: [(String, String, Int32, String)] =
    [
      (
        "a device", "exec \"$0\" import receipts /dev/zero", 66,
        "cannot read /dev/zero: it is a device; pass a file, or - for a pipe"
      ),
      (
        "a device as standard input", "exec \"$0\" import notifications - < /dev/urandom", 66,
        "cannot read standard input: it is a device"
      ),
      (
        "blank lines", fed("yes ''", "import receipts -"), 65,
        "line 1: nothing but white space follows for 4 MiB; what comes after it was not read"
      ),
    ]
    + [("receipts", ""), ("notifications", " --skip-invalid")].flatMap { kind, skipping in
      [
        (
          "\(kind): one line", fed("cat /dev/zero", "import \(kind) -"), 65,
          "standard input, line 1: it is longer than 32 MiB"
        ),
        (
          "\(kind): bad lines\(skipping)", fed("yes", "import \(kind)\(skipping) -"), 65,
          "standard input has more than 100,000 bad lines and was not read on; nothing was imported"
        ),
      ]
    }

  @Test(arguments: cases)
  func endInASentence(
    _ testDescription: String, _ command: String, _ code: Int32, _ says: String
  ) async throws {
    let subtop = try Subtop()
    let outcome = try await subtop.shell(command)
    #expect(outcome.ending == .code(code) && outcome.errors.contains(says), "\(outcome.errors)")
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
