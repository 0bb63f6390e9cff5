import Glibc

/// Who else may write what a file's mode names: the one rule of files, folders and the store.
extension stat {
  /// Whether anybody but its owner may. A group of the owner's own, as most systems give every user, is nobody else: Debian's
  /// OpenSSH takes it so too, and with it a umask of 002 makes everything writable for the group.
  package var isWritableByOthers: Bool {
    st_mode & S_IWOTH != 0
      || st_mode & S_IWGRP != 0 && !PrivateGroup.contains(group: st_gid, onlyOwner: st_uid)
  }
}

/// A group that is its owner's primary one, has his name and no other members.
enum PrivateGroup {
  static func contains(group: gid_t, onlyOwner owner: uid_t) -> Bool {
    guard let user = user(owner), user.group == group, let found = self.group(group) else { return false }
    return found.name == user.name && found.members.allSatisfy { $0 == user.name }
  }

  private static func user(_ id: uid_t) -> (name: String, group: gid_t)? {
    var (entry, memory) = (passwd(), [CChar](repeating: 0, count: 1 << 10))
    var found: UnsafeMutablePointer<passwd>?
    while true {
      switch getpwuid_r(id, &entry, &memory, memory.count, &found) {
      case ERANGE where memory.count < 1 << 20: memory = .init(repeating: 0, count: 2 * memory.count)
      case 0 where found != nil: return (String(cString: entry.pw_name), entry.pw_gid)
      default: return nil
      }
    }
  }

  private static func group(_ id: gid_t) -> (name: String, members: [String])? {
    var (entry, memory) = (Glibc.group(), [CChar](repeating: 0, count: 1 << 10))
    var found: UnsafeMutablePointer<Glibc.group>?
    while true {
      switch getgrgid_r(id, &entry, &memory, memory.count, &found) {
      case ERANGE where memory.count < 1 << 20: memory = .init(repeating: 0, count: 2 * memory.count)
      case 0 where found != nil: return (String(cString: entry.gr_name), members(of: entry))
      default: return nil
      }
    }
  }

  private static func members(of group: Glibc.group) -> [String] {
    var (members, next) = ([String](), group.gr_mem)
    while let place = next, let member = place.pointee {
      members.append(String(cString: member))
      next = place + 1
    }
    return members
  }
}

/// The users of a user namespace, as in a container that is not root's: what belongs to anybody else, root of the machine too,
/// shows as the overflow user's (user_namespaces(7)).
package enum UserMap {
  static func isForNobody(_ user: uid_t) -> Bool { user == nobody && isNobodyUnmapped }

  private static let nobody: uid_t = 65_534
  private static let isNobodyUnmapped: Bool = {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let descriptor = open("/proc/self/uid_map", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard (1..<bytes.count).contains(count) else { return false }
    return !has(nobody, in: String(decoding: bytes[..<count], as: UTF8.self))
  }()

  /// Whether a user of this number is in the map, whose lines are: first inside, first outside, count.
  package static func has(_ user: UInt32, in map: String) -> Bool {
    map.split(separator: "\n").contains { line in
      let numbers = line.split(separator: " ").compactMap { UInt64($0) }
      return numbers.count == 3 && UInt64(user) >= numbers[0] && UInt64(user) < numbers[0] + numbers[2]
    }
  }
}
