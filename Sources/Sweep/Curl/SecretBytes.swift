/// Secret bytes, such as a token or a request body. Descriptions never include them, and their address is
/// fixed, as libcurl requires.
///
/// `@unchecked Sendable`: the memory is written only in `init`.
package final class SecretBytes: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer

  package var count: Int { memory.count }

  package init(_ bytes: [UInt8]) {
    memory = .allocate(byteCount: bytes.count, alignment: 1)
    memory.copyBytes(from: bytes)
  }

  deinit { memory.deallocate() }

  /// Calls `read` with the bytes. Their address is valid for the lifetime of this object.
  package func withBytes<Result>(_ read: (UnsafeRawBufferPointer) -> Result) -> Result {
    read(UnsafeRawBufferPointer(memory))
  }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
  package var description: String { "\(count) bytes" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
