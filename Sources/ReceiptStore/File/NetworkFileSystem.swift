import Glibc

/// File systems that several machines share, including a virtual machine and its host.
///
/// All processes that open a file with a write-ahead log must share memory (https://www.sqlite.org/wal.html,
/// "does not work over a network filesystem"), and locks seldom reach the other machines. Container file
/// systems such as overlay are local.
package enum NetworkFileSystem {
  /// Types as in /proc/self/mountinfo; file systems that are not listed, such as fuse.encfs, count as local.
  private static let types: Set<String> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "ceph", "afs", "coda", "ncpfs", "lustre", "beegfs", "gpfs",
    "gfs2", "ocfs2", "orangefs", "pvfs2", "glusterfs", "davfs", "wekafs", "panfs",
    // Shared folders of virtual machines: QEMU and WSL, Docker Desktop, VirtualBox, VMware, Parallels.
    "9p", "virtiofs", "vboxsf", "vmhgfs", "prl_fs", "fakeowner", "grpcfuse",
    "fuse.vmhgfs-fuse", "fuse.grpcfuse", "fuse.osxfs", "fuse.prl_fsd",
    "fuse.sshfs", "fuse.glusterfs", "fuse.ceph", "fuse.ceph-fuse", "fuse.cephfs", "fuse.s3fs", "fuse.rclone",
    "fuse.davfs", "fuse.davfs2", "fuse.juicefs", "fuse.curlftpfs", "fuse.goofys", "fuse.gcsfuse",
    "fuse.mount-s3",
    "fuse.mountpoint-s3", "fuse.moosefs", "fuse.mfs", "fuse.lizardfs", "fuse.blobfuse", "fuse.blobfuse2",
    "fuse.seaweedfs",
    "fuse.smbnetfs", "fuse.fusesmb", "fuse.google-drive-ocamlfuse", "fuse.kbfs", "fuse.gvfsd-fuse",
  ]

  package static func contains(_ type: String) -> Bool { types.contains(type) }

  static func refused(_ folder: String) -> String? { type(of: folder).flatMap { contains($0) ? $0 : nil } }

  /// Returns the file system type of a folder; `nil` if /proc/self/mountinfo (proc_pid_mountinfo(5)) does not
  /// list its device, as for btrfs subvolumes, which are local.
  package static func type(of folder: String) -> String? {
    var about = stat()
    guard stat(folder, &about) == 0, let file = fopen("/proc/self/mountinfo", "re") else { return nil }
    defer { fclose(file) }
    var (line, room): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
    defer { free(line) }
    while getline(&line, &room, file) > 0 {
      guard let line else { continue }
      let fields = String(cString: line).split { $0 == " " || $0 == "\n" }
      guard fields.count > 4, fields[2] == name(of: UInt64(about.st_dev)) else { continue }
      return fields.drop { $0 != "-" }.dropFirst().first.map(String.init)
    }
    return nil
  }

  private static func name(of device: UInt64) -> String {
    let major = (device >> 8) & 0xFFF | (device >> 32) & 0xFFFF_F000
    let minor = device & 0xFF | (device >> 12) & 0xFFFF_FF00
    return "\(major):\(minor)"
  }
}
