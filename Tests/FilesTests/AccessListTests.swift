import Files
import Glibc
import TestSupport
import Testing

/// What an access control list lets others do shows in a mode as the rights of the group, which may well be one's own.
@Suite(.enabled(if: AccessControlList.isKnown, "the file system of /tmp has no access control lists"))
struct AccessListTests {
  private static let other: UInt32 = 54_321
  private let bench = Bench()

  private func refused(
    _ name: String, _ mends: String, _ use: () throws -> Void, _ place: SourceLocation = #_sourceLocation
  ) {
    #expect(
      throws: FileProblem.listed(bench.path(name), mends: mends), sourceLocation: place, performing: use)
  }

  @Test(arguments: [TrustedFile.Kind.configuration, .certificates, .secret, .state])
  func aFileThatOneLetsOthersWriteIsNotRead(_ kind: TrustedFile.Kind) {
    bench.file("file", mode: 0o600)
    AccessControlList.set(on: bench.path("file"), letting: Self.other, 0o6)
    refused("file", "chmod go-w") { _ = try TrustedFile(bench.path("file"), as: kind) }
  }

  @Test func aSecretThatOneLetsOthersReadIsNotRead() throws {
    bench.file("file", mode: 0o600)
    AccessControlList.set(on: bench.path("file"), letting: Self.other, 0o4)
    refused("file", "chmod 600") { _ = try TrustedFile(bench.path("file"), as: .secret) }
    #expect(try TrustedFile(bench.path("file"), as: .configuration).bytes() == Bench.text)
    chmod(bench.path("file"), 0o600)
    #expect(try TrustedFile(bench.path("file"), as: .secret).bytes() == Bench.text, "its mask is empty")
  }

  @Test func aFolderThatOneLetsOthersWriteIsNotUsed() throws {
    bench.folder("folder", mode: 0o700)
    bench.file("folder/file", mode: 0o600)
    AccessControlList.set(on: bench.path("folder"), letting: Self.other, 0o7)
    let path = bench.path("folder/file")
    refused("folder", "chmod go-w") { _ = try TrustedFile(path, as: .configuration) }
    refused("folder", "chmod go-w") { _ = try OwnFolder(making: bench.path("folder")) }
    refused("folder", "chmod go-w") { try TrustedFolder.check(bench.path("folder")) }
    AccessControlList.set(on: bench.path("folder"), letting: Self.other, 0o5)
    #expect(try TrustedFile(path, as: .configuration).bytes() == Bench.text)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can become somebody else"))
  func aFolderFurtherUpThatOneLetsOthersWriteIsNotPassed() async {
    await #expect(processExitsWith: .success) {
      let bench = Bench()
      chmod(bench.root, 0o755)
      for name in ["folder", "folder/inner"] { bench.folder(name, mode: 0o700) }
      bench.file("folder/inner/file", mode: 0o600)
      AccessControlList.set(on: bench.path("folder"), letting: 12_345, 0o7)
      for name in ["folder", "folder/inner", "folder/inner/file"] { bench.give(name) }
      seteuid(Bench.stranger)
      let path = bench.path("folder/inner/file")
      #expect(throws: FileProblem.listed(bench.path("folder"), mends: "chmod go-w")) {
        try TrustedFile(path, as: .configuration)
      }
      seteuid(0)
    }
  }

  @Test func aLogThatOneLetsOthersWriteIsNotWritten() {
    bench.file("log", mode: 0o600)
    AccessControlList.set(on: bench.path("log"), letting: Self.other, 0o6)
    refused("log", "chmod go-w") {
      try RotatingLog(folder: bench.root, name: "log", limit: 100).append("x\n")
    }
  }

  /// As systemd lets a service's user read its credentials, which are root's.
  @Test(.enabled(if: geteuid() == 0, "only root can become somebody else"))
  func aSecretOfRootsIsReadByWhoeverRootNamed() async {
    await #expect(processExitsWith: .success) {
      let bench = Bench()
      chmod(bench.root, 0o755)
      bench.file("file", mode: 0o400)
      AccessControlList.set(on: bench.path("file"), letting: Bench.stranger, 0o4)
      setegid(Bench.stranger)
      seteuid(Bench.stranger)
      let bytes = try? TrustedFile(bench.path("file"), as: .secret).bytes()
      seteuid(0)
      #expect(bytes == Bench.text)
    }
  }

  @Test func whatMendsItIsSaid() {
    let said = FileProblem.listed("/a b", mends: "chmod go-w").description
    #expect(said.hasSuffix("run `setfacl -b '/a b'` and `chmod go-w '/a b'`"))
  }
}
