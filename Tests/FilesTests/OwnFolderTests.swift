import Files
import Glibc
import TestSupport
import Testing

@Suite struct OwnFolderTests {
  @Test func isCreatedForThisUserOnly() throws {
    let bench = Bench()
    let folder = try OwnFolder(making: bench.path("a/b/c"))
    try folder.replace("file", with: Bench.text)
    for (name, mode) in [("a", 0o700), ("a/b", 0o700), ("a/b/c", 0o700), ("a/b/c/file", 0o600)]
      as [(String, mode_t)]
    {
      var status = stat()
      #expect(stat(bench.path(name), &status) == 0 && status.st_mode & 0o777 == mode, "\(name)")
    }
    #expect(try TrustedFile.state.bytes(at: bench.path("a/b/c/file")) == Bench.text)
    try folder.replace("file", with: [])
    #expect(try TrustedFile.state.bytes(at: bench.path("a/b/c/file")) == [])
  }

  @Test(arguments: [0o777, 0o772, 0o1777] as [mode_t])
  func refusesAFolderWritableByOthers(_ mode: mode_t) {
    let bench = Bench()
    bench.folder("shared", mode: mode)
    #expect(throws: FileProblem.writable(bench.path("shared"))) {
      try OwnFolder(making: bench.path("shared"))
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a folder to another group"))
  func refusesAFolderWritableByAnotherGroup() throws {
    let bench = Bench()
    bench.folder("shared", mode: 0o770)
    _ = try OwnFolder(making: bench.path("shared"))
    bench.give("shared", toGroup: Bench.stranger)
    #expect(throws: FileProblem.writable(bench.path("shared"))) {
      try OwnFolder(making: bench.path("shared"))
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a folder to another user"))
  func refusesAFolderOfAnotherUser() {
    let bench = Bench()
    bench.folder("theirs", mode: 0o755)
    bench.give("theirs")
    let problem = FileProblem.foreign(bench.path("theirs"), owner: Bench.stranger)
    #expect(throws: problem) { try OwnFolder(making: bench.path("theirs")) }
    #expect(throws: problem) { try OwnFolder(making: bench.path("theirs/inner")) }
  }

  /// A symbolic link could redirect the write to a file elsewhere.
  @Test func aLinkIsReplacedAndNotFollowed() throws {
    let bench = Bench()
    bench.file("victim", mode: 0o600)
    bench.link("file", to: "victim")
    bench.link("file.\(getpid())", to: "victim")
    try OwnFolder(making: bench.root).replace("file", with: [1])
    #expect(try TrustedFile.state.bytes(at: bench.path("victim")) == Bench.text)
    #expect(try TrustedFile.state.bytes(at: bench.path("file")) == [1])
    #expect(throws: FileProblem.self) { try NewFile.write([2], to: bench.path("file")) }
    bench.link("dangling", to: "nothing")
    #expect(throws: FileProblem.system(bench.path("dangling"), EEXIST)) {
      try NewFile.write([2], to: bench.path("dangling"))
    }
    #expect(access(bench.path("nothing"), F_OK) != 0)
  }
}
