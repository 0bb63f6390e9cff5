import Glibc

/// A group that is its owner's primary one, has his name and no other members, and is nobody else's primary one.
enum PrivateGroup {
  static func contains(group: gid_t, onlyOwner owner: uid_t) -> Bool {
    guard let user = user(owner), user.group == group, let found = self.group(group) else { return false }
    return found.name == user.name && found.members.allSatisfy { $0 == user.name }
      && !Accounts.isPrimary(group, ofOthersThan: owner)
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
