import Glibc

/// The access control list of a file, acl(5), which lets others do what its mode does not tell: where there is one, the bits of
/// the group are the most that anybody named in it may.
enum AccessList {
  /// Whether there is one; nil where the system does not say.
  static func isSet(on descriptor: Int32) -> Bool? {
    if let get = call("fgetxattr", as: Get.self) {
      if get(descriptor, attribute, nil, 0) >= 0 { return true }
      // Of a descriptor opened with O_PATH (open(2)).
      if errno != EBADF { return isNone(errno) ? false : nil }
    }
    guard let get = call("getxattr", as: GetByPath.self) else { return nil }
    if get("/proc/self/fd/\(descriptor)", attribute, nil, 0) >= 0 { return true }
    return isNone(errno) ? false : nil
  }

  /// None is set, or the file system knows none.
  private static func isNone(_ code: Int32) -> Bool { code == ENODATA || code == ENOTSUP }

  private static let attribute = "system.posix_acl_access"

  // MARK: xattr(7), whose header Swift's Glibc leaves out

  private typealias Get = @convention(c) (Int32, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int
  private typealias GetByPath =
    @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int

  private static func call<Call>(_ name: String, as type: Call.Type) -> Call? {
    dlsym(nil, name).map { unsafeBitCast($0, to: type) }
  }
}
