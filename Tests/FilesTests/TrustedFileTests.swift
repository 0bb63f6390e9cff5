import Dispatch
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

/// Files that determine where secrets are sent must not be writable by other users.
@Suite struct TrustedFileTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var kind = TrustedFile.configuration
    /// Creates the files that the case needs, among them the one at `path`.
    let make: @Sendable (Bench) -> Void
    var path = "file"
    var problem: (@Sendable (Bench) -> FileProblem)?
    var needsRoot = false

    init(
      _ name: String, as kind: TrustedFile = .configuration, at path: String = "file",
      needsRoot: Bool = false,
      _ make: @escaping @Sendable (Bench) -> Void, problem: (@Sendable (Bench) -> FileProblem)? = nil
    ) {
      testDescription = name
      (self.kind, self.path, self.needsRoot, self.make, self.problem) = (kind, path, needsRoot, make, problem)
    }
  }

  static let cases: [Case] = [
    Case("one's own", { $0.file("file", mode: 0o600) }),
    Case("one that others may read", { $0.file("file", mode: 0o644) }),
    Case("a secret", as: .secret, { $0.file("file", mode: 0o400) }),
    Case(
      "a secret that the group may read", as: .secret, { $0.file("file", mode: 0o640) },
      problem: { .readable($0.path("file")) }),
    Case(
      "one that a group of others may write", needsRoot: true,
      {
        $0.file("file", mode: 0o620)
        $0.give("file", toGroup: Bench.stranger)
      }, problem: { .writable($0.path("file")) }),
    Case("one that the user's own group may write", needsRoot: true, { $0.file("file", mode: 0o660) }),
    Case(
      "in a folder that the user's own group may write", at: "folder/file", needsRoot: true,
      {
        $0.folder("folder", mode: 0o775)
        $0.file("folder/file", mode: 0o664)
      }),
    Case(
      "in a folder that a group of others may write", at: "folder/file", needsRoot: true,
      {
        $0.folder("folder", mode: 0o775)
        $0.file("folder/file", mode: 0o600)
        $0.give("folder", toGroup: Bench.stranger)
      }, problem: { .writable($0.path("folder")) }),
    Case(
      "one that everybody may write", as: .certificates, { $0.file("file", mode: 0o602) },
      problem: { .writable($0.path("file")) }),
    Case(
      "another user's", needsRoot: true,
      {
        $0.file("file", mode: 0o600)
        $0.give("file")
      }, problem: { .foreign($0.path("file"), owner: Bench.stranger) }),
    Case(
      "a link to one's own",
      {
        $0.file("real", mode: 0o600)
        $0.link("file", to: "real")
      }),
    Case(
      "a link to another user's", needsRoot: true,
      {
        $0.file("real", mode: 0o600)
        $0.give("real")
        $0.link("file", to: "real")
      }, problem: { .foreign($0.path("file"), owner: Bench.stranger) }),
    Case(
      "in a folder that others may write", at: "folder/file",
      {
        $0.folder("folder", mode: 0o777)
        $0.file("folder/file", mode: 0o600)
      }, problem: { .writable($0.path("folder")) }),
    Case(
      "below a folder that others may write", at: "folder/inner/file",
      {
        $0.folder("folder", mode: 0o777)
        $0.folder("folder/inner", mode: 0o700)
        $0.file("folder/inner/file", mode: 0o600)
      }, problem: { .writable($0.path("folder")) }),
    Case(
      "by a link into a folder that others may write",
      {
        $0.folder("folder", mode: 0o777)
        $0.file("folder/real", mode: 0o600)
        $0.link("file", to: "folder/real")
      }, problem: { .writable($0.path("folder")) }),
    Case(
      "in a folder like /tmp", at: "folder/file",
      {
        $0.folder("folder", mode: 0o1777)
        $0.file("folder/file", mode: 0o600)
      }),
    Case(
      "in another user's folder", at: "folder/file", needsRoot: true,
      {
        $0.folder("folder", mode: 0o755)
        $0.file("folder/file", mode: 0o600)
        $0.give("folder")
      }, problem: { .foreign($0.path("folder"), owner: Bench.stranger) }),
    Case("a pipe", { $0.pipe("file") }, problem: { .notRegular($0.path("file")) }),
    Case(
      "a link to a device", { symlink("/dev/zero", $0.path("file")) },
      problem: { .notRegular($0.path("file")) }),
    Case("a folder", { $0.folder("file", mode: 0o700) }, problem: { .notRegular($0.path("file")) }),
    Case("none", { _ in }, problem: { .system($0.path("file"), ENOENT) }),
    Case(
      "one that is too long", as: .secret, { $0.file("file", mode: 0o600, size: (64 << 10) + 1) },
      problem: { .tooLarge($0.path("file"), limit: 64 << 10) }),
  ]

  @Test(arguments: cases) func readsOnlyFilesOfTheUser(_ one: Case) throws {
    guard !one.needsRoot || geteuid() == 0 else {
      print("skipped: only root can give a file to another user")
      return
    }
    let bench = Bench()
    one.make(bench)
    guard let problem = one.problem?(bench) else {
      #expect(try one.kind.bytes(at: bench.path(one.path)) == Bench.text)
      return
    }
    #expect(throws: problem) { try one.kind.bytes(at: bench.path(one.path)) }
  }

  /// systemd and Kubernetes pass credentials this way.
  @Test(
    .enabled(if: geteuid() == 0, "only root can become another user"),
    arguments: [(0o440, true), (0o640, true), (0o444, false), (0o400, false)] as [(mode_t, Bool)])
  func readsASecretOfRootThroughAGroup(_ mode: mode_t, _ isRead: Bool) async {
    await #expect(processExitsWith: .success) { [mode = mode as mode_t, isRead = isRead as Bool] in
      let bench = Bench()
      chmod(bench.root, 0o755)
      bench.file("file", mode: mode)
      bench.give("file", toGroup: Bench.stranger)
      setegid(Bench.stranger)
      seteuid(Bench.stranger)
      let bytes = try? TrustedFile.secret.bytes(at: bench.path("file"))
      seteuid(0)
      #expect(bytes == (isRead ? Bench.text : nil))
    }
  }

  /// A shell passes such descriptors for `<(…)` and `3<<<`.
  @Test func refusesADescriptorWithoutAPath() throws {
    let bench = Bench()
    bench.file("file", mode: 0o600)
    bench.file("gone", mode: 0o600)
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    let kept = open(bench.path("file"), O_RDONLY | O_CLOEXEC)
    let gone = open(bench.path("gone"), O_RDONLY | O_CLOEXEC)
    defer { for descriptor in ends + [kept, gone] { close(descriptor) } }
    unlink(bench.path("gone"))
    for descriptor in [ends[0], gone] {
      for path in ["/dev/fd/\(descriptor)", "/proc/self/fd/\(descriptor)"] {
        for kind in [TrustedFile.configuration, .secret, .certificates] {
          #expect(throws: FileProblem.unnamed(path)) { try kind.bytes(at: path) }
        }
      }
    }
    #expect(try TrustedFile.configuration.bytes(at: "/dev/fd/\(kept)") == Bench.text)
  }

  @Test func suggestsAFileOfYourOwn() {
    #expect(FileProblem.foreign("/home/b", owner: 7).description.hasSuffix("; use one of your own"))
  }

  @Test func readsTheFileThatItChecked() throws {
    let bench = Bench()
    bench.file("good", mode: 0o600)
    bench.file("open", mode: 0o666, text: "bad")
    bench.pipe("pipe")
    bench.folder("elsewhere", mode: 0o777)
    bench.file("elsewhere/file", mode: 0o600, text: "bad")
    bench.link("link", to: "elsewhere/file")
    link(bench.path("good"), bench.path("file"))
    let isOver = Atomic(false)
    let swapping = DispatchGroup()
    DispatchQueue.global().async(group: swapping) {
      while !isOver.load(ordering: .relaxed) {
        for name in ["open", "good", "pipe", "good", "link", "good"] {
          // Renames a second link, so that the file remains for the next round.
          linkat(AT_FDCWD, bench.path(name), AT_FDCWD, bench.path("next"), 0)
          rename(bench.path("next"), bench.path("file"))
        }
      }
    }
    var (good, bad, refused) = (0, 0, 0)
    // Both results occur soon, unless the other thread gets no processor time.
    let patience = ContinuousClock.now + .seconds(120)
    var count = 0
    while count < 50_000 || ((good == 0 || refused == 0) && ContinuousClock.now < patience) {
      count += 1
      if count > 50_000 { sched_yield() }
      do throws(FileProblem) {
        let bytes = try TrustedFile.configuration.bytes(at: bench.path("file"))
        if bytes == Bench.text { good += 1 } else { bad += 1 }
      } catch {
        refused += 1
      }
    }
    isOver.store(true, ordering: .relaxed)
    swapping.wait()
    #expect(bad == 0)
    #expect(good > 0 && refused > 0, "both were met")
  }

  @Test func suggestedCommandsAreQuotedForTheShell() {
    #expect(
      FileProblem.writable("/a b/it's").description.hasSuffix("run `chmod go-w '/a b/it'\\''s'`"))
    #expect(FileProblem.readable("/a/b-c_1.x").description.hasSuffix("run `chmod 600 /a/b-c_1.x`"))
  }
}

struct Bench: Sendable {
  static let stranger: UInt32 = 54_321
  static let text = Array("good".utf8)

  private let folder = TemporaryFolder()

  var root: String { folder.path }
  func path(_ name: String) -> String { folder.file(name) }

  func file(_ name: String, mode: mode_t, text: String = "good", size: Int? = nil) {
    let descriptor = open(path(name), O_WRONLY | O_CREAT, 0o600)
    _ = write(descriptor, text, text.utf8.count)
    if let size { ftruncate(descriptor, size) }
    fchmod(descriptor, mode)
    close(descriptor)
  }

  func folder(_ name: String, mode: mode_t) {
    mkdir(path(name), 0o700)
    chmod(path(name), mode)
  }

  func link(_ name: String, to target: String) { symlink(target, path(name)) }
  func pipe(_ name: String) { mkfifo(path(name), 0o600) }
  func give(_ name: String) { lchown(path(name), Self.stranger, Self.stranger) }
  func give(_ name: String, toGroup group: UInt32) { lchown(path(name), .max, group) }
}
