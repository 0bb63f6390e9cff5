import Glibc
import TestSupport

/// A TLS server whose certificate nobody vouches for: OpenSSL's own, with a key made for the occasion.
final class ImpostorServer {
  static let openSSL = "/usr/bin/openssl"
  static var isAvailable: Bool { access(openSSL, X_OK) == 0 }

  let port: UInt16
  /// The file of its certificate, for whoever wants to trust it.
  let certificate: String
  private let folder = TemporaryFolder()
  private let process: pid_t
  private let output: Int32

  init() throws {
    let key = folder.file("key.pem")
    certificate = folder.file("certificate.pem")
    let making = try Self.spawn([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
      "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
    ])
    waitpid(making.process, nil, 0)
    close(making.output)
    let serving = try Self.spawn([
      "s_server", "-www", "-accept", "127.0.0.1:0", "-key", key, "-cert", certificate,
    ])
    (process, output) = serving
    guard let found = Self.port(announcedOn: output) else {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
      close(output)
      throw CannedServerError(call: "openssl s_server", code: 0)
    }
    port = found
  }

  deinit {
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
    close(output)
  }

  /// It says "ACCEPT 127.0.0.1:PORT" once it has read its files and listens.
  private static func port(announcedOn descriptor: Int32) -> UInt16? {
    var text = ""
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) == 1 {
      guard byte == UInt8(ascii: "\n") else {
        text.unicodeScalars.append(Unicode.Scalar(byte))
        continue
      }
      if text.hasPrefix("ACCEPT "), let number = text.split(separator: ":").last { return UInt16(number) }
      text = ""
    }
    return nil
  }

  private static func spawn(_ arguments: [String]) throws -> (process: pid_t, output: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw CannedServerError(call: "pipe", code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    return (try startProgram(openSSL, arguments, output: ends[1]), ends[0])
  }
}
