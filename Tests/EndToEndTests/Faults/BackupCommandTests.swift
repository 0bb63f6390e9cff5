import Glibc
import TestSupport
import Testing

/// Copies made by hand and by cron.
@Suite("Backups")
struct BackupCommandTests {
  private let subtop: Subtop
  private var copy: String { subtop.home / "copy.sqlite" }

  init() async throws { subtop = try await SmallStore.copy() }

  @Test func areStoresThemselves() async throws {
    let made = try await subtop.run("backup", copy)
    #expect(made.ending == .code(0) && made.output.isEmpty && made.errors.isEmpty, "\(made.errors)")
    #expect(File.mode(copy) == 0o600)
    let report = ["report", "overview", "--format", "json", "--at", World.now]
    let (of, from) = (try await subtop.run(report), try await subtop.run(report + ["--store", copy]))
    #expect(of.ending == .code(0) && of.output == from.output)
    #expect(try await subtop.run("status", "--check", "--store", copy).ending == .code(0))
  }

  @Test func replaceOnlyWhatTheyMay() async throws {
    try File.write("something else", to: copy)
    for (options, words) in [([], "or --replace"), (["--replace"], "neither a copy nor a store")] {
      let refused = try await subtop.run(["backup", copy] + options)
      #expect(refused.ending == .code(64) && refused.errors.contains(words), "\(refused.errors)")
      #expect(try File.text(copy) == "something else")
    }
    try File.write("", to: copy)
    for _ in 1...2 {
      #expect(try await subtop.run("backup", "--replace", copy).ending == .code(0))
      #expect(try await subtop.run("status", "--check", "--store", copy).ending == .code(0))
    }
    let itself = try await subtop.run("backup", "--replace", subtop.store)
    #expect(itself.ending == .code(64) && itself.errors.contains("the store itself"), "\(itself.errors)")
    for options in [[], ["--replace"]] {
      let folder = try await subtop.run(["backup", subtop.home.path] + options)
      #expect(folder.ending == .code(64) && folder.errors.contains("not a regular file"), "\(folder.errors)")
    }
    let nothing = try await subtop.run("backup", copy, "--store", subtop.home / "nothing")
    #expect(nothing.ending == .code(66))
  }

  @Test func areRestored() async throws {
    #expect(try await subtop.run("backup", copy).ending == .code(0))
    let place = subtop.home / "place.sqlite"
    let made = try await subtop.run("restore", copy, "--store", place)
    #expect(made.ending == .code(0) && made.output.isEmpty && made.errors.isEmpty, "\(made.errors)")
    let unasked = try await subtop.run("restore", copy, "--store", place)
    #expect(unasked.ending == .code(64) && unasked.errors.contains("--replace"), "\(unasked.errors)")
    let again = try await subtop.run("restore", copy, "--replace", "--store", place)
    #expect(again.ending == .code(0) && again.errors.contains("place.sqlite.replaced"), "\(again.errors)")
    for path in [place, place + ".replaced"] {
      #expect(try await subtop.run("status", "--check", "--store", path).ending == .code(0))
    }
    let itself = try await subtop.run("restore", subtop.store, "--replace")
    #expect(itself.ending == .code(64) && itself.errors.contains("the store itself"), "\(itself.errors)")
    let none = try await subtop.run("restore", subtop.home / "none")
    #expect(none.ending == .code(66) && none.errors.contains("the copy is not there"), "\(none.errors)")
  }

  @Test func areRestoredFromRegularFilesAlone() async throws {
    let pipe = subtop.home / "pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    for (path, kind) in [(pipe, "a FIFO"), ("/dev/null", "a device"), (subtop.home.path, "a directory")] {
      let outcome = try await subtop.run("restore", path, "--store", subtop.home / "new.sqlite")
      #expect(outcome.ending == .code(66), "\(outcome.errors)")
      #expect(outcome.errors.contains("it is \(kind), and a copy is a regular file"), "\(outcome.errors)")
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can become somebody else"))
  func thatMayNotBeReadAreNamedByTheirOwner() async throws {
    #expect(try await subtop.run("backup", copy).ending == .code(0))
    let setpriv = try #require(Program.installed("setpriv"))
    chmod(subtop.home.path, 0o755)
    let place = subtop.home / "theirs"
    mkdir(place, 0o700)
    chown(place, 54_321, 54_321)
    var environment = subtop.environment
    for name in ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] { environment[name] = place }
    let arguments = ["--reuid=54321", "--regid=54321", "--clear-groups", try Program.built("subtop").path]
    let child = try Child(
      setpriv, arguments + ["restore", copy, "--store", place + "/store.sqlite"], environment: environment)
    #expect(try await child.ending() == .code(77), "\(child.errors)")
    #expect(child.errors.contains("it belongs to the user root"), "\(child.errors)")
  }

  /// An option that would change nothing is a mistake about what the command does.
  @Test(arguments: ["--at=2026-01-01", "--environment=sandbox"])
  func takeNoOptionThatMeansNothing(_ option: String) async throws {
    for arguments in [["backup", copy], ["restore", copy]] {
      #expect(try await subtop.run(arguments + [option]).ending == .code(64))
    }
    #expect(!File.exists(copy))
  }

  @Test func areNotMadeWhereNoStoreCouldBeOpened() async throws {
    let folder = subtop.home / "open"
    mkdir(folder, 0o700)
    chmod(folder, 0o777)
    let outcome = try await subtop.run("backup", folder + "/copy.sqlite")
    #expect(outcome.ending == .code(77) && outcome.errors.contains("chmod go-w"), "\(outcome.errors)")
    #expect(File.names(in: folder).isEmpty)
  }

  @Test func thatMayNotGrowAreNotKept() async throws {
    let shell = try #require(Program.installed("sh"))
    let child = try Child(
      shell, ["-c", "ulimit -f 100; exec \"$0\" backup '\(copy)'", try Program.built("subtop").path],
      environment: subtop.environment)
    #expect(try await child.ending() == .code(74), "\(child.errors)")
    #expect(child.errors.contains("ulimit -f") && !child.errors.contains("not an error"), "\(child.errors)")
    #expect(File.names(in: subtop.home.path).filter { $0.contains("copy") } == [])
  }

  @Test func areMadeInFiles() async throws {
    let outcome = try await subtop.run("backup", "-")
    #expect(outcome.ending == .code(64) && outcome.errors.contains("standard output"), "\(outcome.errors)")
    #expect(!File.names(in: subtop.home.path).contains("-"))
  }

  /// What is said of a malformed store is what to do about it, once.
  @Test func areWhatMendsAMalformedStore() async throws {
    try StoreFile(path: subtop.store).backup(to: copy)
    let file = open(copy, O_RDWR)
    var about = stat()
    #expect(fstat(file, &about) == 0)
    let rubbish = [UInt8](repeating: 0xA5, count: 4096)
    for page in stride(from: off_t(4096 * 8), to: about.st_size, by: 4096) {
      #expect(pwrite(file, rubbish, rubbish.count, page) == rubbish.count)
    }
    close(file)
    for arguments in [["status", "--check"], ["backup", subtop.home / "second"]] {
      let said = try await subtop.run(arguments + ["--store", copy])
      #expect(said.ending == .code(74) && said.errors.contains("subtop restore"), "\(said.errors)")
      #expect(!said.errors.contains("status --check") && said.errors.utf8.count < 1500, "\(said.errors)")
    }
  }

  @Test func leaveNothingWhenTheyAreStopped() async throws {
    var random = Seeded(5)
    for _ in 0..<8 {
      let backup = try subtop.start(["backup", copy])
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...120, using: &random)))
      kill(backup.pid, SIGINT)
      let ending = try await backup.ending()
      let names = File.names(in: subtop.home.path).filter { $0.contains("copy") && !$0.hasSuffix("-shm") }
      if names == ["copy.sqlite"] {
        #expect(try StoreFile(path: copy).complaints() == [])
        File.remove(copy)
      } else {
        #expect(names == [] && ending == .signal(SIGINT), "\(ending): \(backup.errors)")
      }
    }
  }
}
