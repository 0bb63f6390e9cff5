import Glibc
import Sweep

extension CertificateBundle {
  /// Reads a bundle from a file, which is empty and trusts no server if the file is missing.
  init(path: String) {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    while case let count = read(file, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
    self.init(pem: bytes)
  }
}
