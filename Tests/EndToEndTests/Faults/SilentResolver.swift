import Glibc
import Testing

/// A name server on loopback that never answers, and programs that have no other.
final class SilentResolver: Sendable {
  private let socket: Int32
  private let configuration: String
  /// All of 127/8 is loopback; each process has a place of its own.
  private static let address = "127.77.\(getpid() / 256 % 256).\(getpid() % 256)"

  static let isPermitted: Bool = {
    let isThere =
      SmallDisk.isPermitted && Program.installed("unshare") != nil && (try? bound()).map { close($0) } != nil
    if !isThere {
      print("SKIPPED: the silent name server, since mounts or ports below 1024 are not permitted")
    }
    return isThere
  }()

  init(in folder: Folder) throws {
    configuration = folder / "resolv.conf"
    try File.write(
      "nameserver \(Self.address)\noptions timeout:30 attempts:1\n", to: configuration, mode: 0o644)
    socket = try Self.bound()
  }

  deinit { close(socket) }

  private static func bound() throws(ProgramError) -> Int32 {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = in_port_t(53).bigEndian
    inet_pton(AF_INET, address, &place.sin_addr)
    let isBound = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isBound else {
      close(socket)
      throw .file("\(address):53", errno)
    }
    return socket
  }

  /// Runs the program where this is the only name server; nobody else sees the mount.
  func start(_ subtop: Subtop, _ arguments: [String]) throws -> Child {
    guard let unshare = Program.installed("unshare") else { throw ProgramError.missing("unshare") }
    let script = "mount --bind \"$0\" /etc/resolv.conf && exec \"$@\""
    return try Child(
      unshare,
      ["--mount", "sh", "-c", script, configuration, try Program.built("subtop").path] + arguments,
      environment: subtop.environment)
  }

  /// Waits for somebody's question.
  func isAsked() async throws {
    var byte: UInt8 = 0
    try await soon("the name server is asked") {
      recv(socket, &byte, 1, Int32(MSG_DONTWAIT)) >= 0 ? true : nil
    }
  }
}
