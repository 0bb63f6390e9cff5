import CCurl

/// Certificates of authorities, in PEM, that are trusted in place of the system's: the very bytes that were checked, so that
/// nobody opens a file by its name again.
///
/// Checked by hand instead of by the compiler: the memory is written before `init` returns and never again.
public final class CertificateBundle: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer

  public init(pem: [UInt8]) {
    memory = .allocate(byteCount: pem.count, alignment: 1)
    memory.copyBytes(from: pem)
  }

  deinit { memory.deallocate() }

  /// Has the handle read the certificates from here, without a copy in each: the bundle has to outlive it.
  func hand(to handle: UnsafeMutableRawPointer) -> CURLcode {
    ccurl_set_certificates(handle, memory.baseAddress, memory.count)
  }
}

extension CertificateBundle: Hashable {
  public static func == (one: CertificateBundle, other: CertificateBundle) -> Bool {
    one === other || one.memory.elementsEqual(other.memory)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(bytes: UnsafeRawBufferPointer(memory)) }
}
