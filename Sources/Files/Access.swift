import Glibc

/// Who else may write a file: the one rule of files, folders and the store.
package enum OtherWriters: Sendable {
  /// As its mode says.
  case byMode
  /// As the access control list says that it has, of which the mode shows the mask alone.
  case byList

  /// Nil where nobody but its owner may. A group of the owner's own, as most systems give every user, is nobody else: Debian's
  /// OpenSSH takes it so too, and with it a umask of 002 makes everything writable for the group. With an access control list
  /// the same bits are those of whoever is named there.
  package init?(of status: stat, _ descriptor: Int32) {
    if status.st_mode & S_IWOTH != 0 {
      self = .byMode
    } else if status.st_mode & S_IWGRP == 0 {
      return nil
    } else {
      switch AccessList.isSet(on: descriptor) {
      case true?: self = .byList
      case false? where PrivateGroup.contains(group: status.st_gid, onlyOwner: status.st_uid): return nil
      case false?, nil: self = .byMode
      }
    }
  }
}

extension Descriptor {
  func checkNobodyElseWrites(_ status: stat, _ path: String) throws(FileProblem) {
    switch OtherWriters(of: status, number) {
    case .byMode?: throw .writable(path)
    case .byList?: throw .listed(path, mends: "chmod go-w")
    case nil: break
    }
  }

  /// - Parameter status: of a file that nobody else may write.
  func checkNobodyElseReads(_ status: stat, _ path: String) throws(FileProblem) {
    guard !status.isSecret else { return }
    if status.isRoots { throw .rootsReadable(path, group: getegid()) }
    if status.st_mode & S_IRWXO == 0, AccessList.isSet(on: number) == true {
      throw .listed(path, mends: "chmod 600")
    }
    throw .readable(path)
  }
}
