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
