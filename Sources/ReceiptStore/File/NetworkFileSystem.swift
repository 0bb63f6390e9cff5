import Glibc

/// File systems that several machines share. SQLite's write-ahead log needs memory that all who open the file share, which
/// two machines cannot (https://www.sqlite.org/wal.html, "does not work over a network filesystem").
package enum NetworkFileSystem {
  /// As /proc/filesystems and FUSE's drivers name them. Other file systems of FUSE, as encfs and ntfs-3g, lie on one machine.
  private static let types: Set<String> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "ceph", "afs", "coda", "ncpfs", "lustre", "beegfs", "gpfs",
    "gfs2", "ocfs2", "fuse.sshfs", "fuse.glusterfs", "fuse.ceph", "fuse.ceph-fuse", "fuse.s3fs",
    "fuse.rclone", "fuse.davfs", "fuse.juicefs", "fuse.curlftpfs", "fuse.goofys", "fuse.gcsfuse",
    "fuse.mount-s3", "fuse.moosefs",
  ]

  package static func contains(_ type: String) -> Bool { types.contains(type) }

  /// The type of the mount that a folder lies on; nil where the system does not tell.
  package static func type(of folder: String) -> String? {
    var about = stat()
    guard stat(folder, &about) == 0, let file = fopen("/proc/self/mountinfo", "re") else { return nil }
    defer { fclose(file) }
    var (line, room): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
    defer { free(line) }
    while getline(&line, &room, file) > 0 {
      if let line, let type = type(on: UInt64(about.st_dev), in: String(cString: line)) { return type }
    }
    return nil
  }

  /// Reads a line of /proc/self/mountinfo (proc_pid_mountinfo(5)); nil where it is about another device.
  package static func type(on device: UInt64, in line: String) -> String? {
    let fields = line.split { $0 == " " || $0 == "\n" }
    guard fields.count > 2, fields[2] == name(of: device) else { return nil }
    guard let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else { return nil }
    return String(fields[dash + 1])
  }

  /// `major:minor`, as glibc's <sys/sysmacros.h> takes them out of a device's number.
  private static func name(of device: UInt64) -> String {
    let major = (device >> 8) & 0xFFF | (device >> 32) & 0xFFFF_F000
    let minor = device & 0xFF | (device >> 12) & 0xFFFF_FF00
    return "\(major):\(minor)"
  }
}
