/// Bytes that nobody but their reader shall see. They never describe themselves, and stay where they are in memory, as libcurl needs it.
///
/// Checked by hand instead of by the compiler: the memory is written before `init` returns and never again.
package final class SecretBytes: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer

  package var count: Int { memory.count }

  package init(_ bytes: [UInt8]) {
    memory = .allocate(byteCount: bytes.count, alignment: 1)
    memory.copyBytes(from: bytes)
  }

  deinit { memory.deallocate() }

  /// The memory stays where it is for as long as this object lives.
  package func withBytes<Result>(_ read: (UnsafeRawBufferPointer) -> Result) -> Result {
    read(UnsafeRawBufferPointer(memory))
  }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
  package var description: String { "\(count) bytes" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
