import Glibc

/// Unix datagram socket, with a path or an abstract name that begins with @.
final class DatagramSocket: Sendable {
  private let descriptor: Int32

  init(_ name: String) throws(ProgramError) {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      path.copyBytes(from: name.utf8)
      if name.hasPrefix("@") { path[0] = 0 }
    }
    let length = socklen_t(MemoryLayout.size(ofValue: address.sun_family) + name.utf8.count)
    let result = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    guard descriptor >= 0, result == 0 else { throw .file(name, errno) }
  }

  deinit { close(descriptor) }

  func messages() -> [String] {
    var messages: [String] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      guard count >= 0 else { return messages }
      messages.append(String(decoding: bytes[..<count], as: UTF8.self))
    }
  }
}
