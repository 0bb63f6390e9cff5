import CCurl

/// Certificates of authorities in PEM format that are trusted in place of the system's. It keeps the bytes
/// that were checked, so that the file is not opened again by name.
///
/// `@unchecked Sendable`: the memory is written only in `init`.
public final class CertificateBundle: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer

  public init(pem: [UInt8]) {
    memory = .allocate(byteCount: pem.count, alignment: 1)
    memory.copyBytes(from: pem)
  }

  deinit { memory.deallocate() }

  /// Makes the handle read the certificates without a copy. The bundle must outlive the handle.
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
