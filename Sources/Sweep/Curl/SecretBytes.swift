import Glibc

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
    pages = Self.map(count)
    write(UnsafeMutableRawBufferPointer(rebasing: pages[..<count]))
  }

  /// The caller's own copy stays the caller's to wipe.
  package convenience init(_ bytes: [UInt8]) {
    self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
  }

  deinit {
    if let start = pages.baseAddress {
      explicit_bzero(start, pages.count)
      munmap(start, pages.count)
    }
  }

  /// The memory stays where it is for as long as this object lives.
  package func withBytes<Result>(_ read: (UnsafeRawBufferPointer) -> Result) -> Result {
    read(UnsafeRawBufferPointer(rebasing: pages[..<count]))
  }

  /// Whole pages, since madvise(2) takes nothing smaller.
  private static func map(_ count: Int) -> UnsafeMutableRawBufferPointer {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let length = max(1, (count + page - 1) / page) * page
    let start = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    // Like any allocation of Swift's: there is no going on without memory.
    guard let start, start != MAP_FAILED else {
      preconditionFailure("There are no \(length) bytes of memory.")
    }
    madvise(start, length, MADV_DONTDUMP)
    return UnsafeMutableRawBufferPointer(start: start, count: length)
  }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
  package var description: String { "\(count) bytes" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
