/// Bytes that nobody but their reader shall see: in pages of their own, which no core dump holds, and which are wiped
/// when the last owner lets go. They never describe themselves.
///
/// Checked by hand instead of by the compiler: the pages are written before `init` returns and never again.
package final class SecretBytes: @unchecked Sendable {
  package let count: Int
  private let pages: UnsafeMutableRawBufferPointer

  /// - Parameter write: fills memory of exactly `count` bytes, which are zero.
  package init(count: Int, write: (UnsafeMutableRawBufferPointer) -> Void) {
    self.count = count
    pages = SecretPages.take(count)
    write(UnsafeMutableRawBufferPointer(rebasing: pages[..<count]))
  }

  /// The caller's own copy stays the caller's to wipe.
  package convenience init(_ bytes: [UInt8]) {
    self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
  }

  deinit { SecretPages.give(back: pages, used: count) }

  /// The memory stays where it is for as long as this object lives.
  package func withBytes<Result>(_ read: (UnsafeRawBufferPointer) -> Result) -> Result {
    read(UnsafeRawBufferPointer(rebasing: pages[..<count]))
  }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
  package var description: String { "\(count) bytes" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
