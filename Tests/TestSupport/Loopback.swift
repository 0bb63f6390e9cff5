import Glibc

public enum Loopback {
  /// Listens on a port of 127.0.0.1, or on a free one if 0; returns `nil` if the port is in use.
  public static func listen(on port: UInt16 = 0) -> (descriptor: Int32, port: UInt16)? {
    let descriptor = tcp()
    var isListening = false
    let bound = withAddress(port) { address, length in
      var length = length
      isListening = bind(descriptor, address, length) == 0 && Glibc.listen(descriptor, 511) == 0
      getsockname(descriptor, address, &length)
    }
    guard isListening else {
      close(descriptor)
      return nil
    }
    return (descriptor, bound)
  }

  public static func connect(to port: UInt16) -> Int32? {
    let descriptor = tcp()
    var isConnected = false
    _ = withAddress(port) { isConnected = Glibc.connect(descriptor, $0, $1) == 0 }
    if isConnected { return descriptor }
    close(descriptor)
    return nil
  }

  /// Returns `false` if the other side closed the connection before it received everything.
  @discardableResult
  public static func send(_ bytes: some Sequence<UInt8>, over descriptor: Int32) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func tcp() -> Int32 {
    socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  }

  private static func withAddress(
    _ port: UInt16, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Void
  ) -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }
}
