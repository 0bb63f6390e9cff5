import Glibc

/// File systems shared by several machines, which includes a virtual machine and its host.
///
/// SQLite's write-ahead log needs memory shared by all who open the file (https://www.sqlite.org/wal.html,
/// "does not work over a network filesystem"), and locks seldom reach the other machine. Container file
/// systems such as overlay are local.
package enum NetworkFileSystem {
  /// Names used by /proc/filesystems and by FUSE drivers. FUSE file systems that are not listed, such as
  /// encfs and ntfs-3g, are local.
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

  /// Returns the type of a folder's file system if it is known to be shared; otherwise `nil`.
  static func refused(_ folder: String) -> String? {
    type(of: folder).flatMap { contains($0) ? $0 : nil }
  }

  /// Returns the type of the mount that contains a folder, or `nil` if the system does not report it.
  package static func type(of folder: String) -> String? {
    var about = stat()
    guard stat(folder, &about) == 0, let resolved = realpath(folder, nil) else { return nil }
    defer { free(resolved) }
    guard let file = fopen("/proc/self/mountinfo", "re") else { return nil }
    defer { fclose(file) }
    var (line, room): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
    defer { free(line) }
    var mounts: [Mount] = []
    while getline(&line, &room, file) > 0 {
      if let line, let mount = Mount(String(cString: line)) { mounts.append(mount) }
    }
    return type(of: String(cString: resolved), on: UInt64(about.st_dev), among: mounts)
  }

  /// Returns the type of the mount that contains a folder.
  ///
  /// A device may have no mount of its own, as with btrfs subvolumes. Then the mount with the longest
  /// matching folder is used. Of two mounts on one folder, the later hides the earlier.
  package static func type(of folder: String, on device: UInt64, among mounts: [Mount]) -> String? {
    let above = mounts.filter { $0.isAbove(folder) }
    let onDevice = above.filter { $0.device == Mount.name(of: device) }
    let candidates = onDevice.isEmpty ? above : onDevice
    return candidates.reduce(nil as Mount?) { best, mount in
      best.map { mount.folder.utf8.count >= $0.folder.utf8.count } == false ? best : mount
    }?.type
  }
}

extension NetworkFileSystem {
  /// Line of /proc/self/mountinfo (proc_pid_mountinfo(5)).
  package struct Mount: Sendable {
    /// In the form `major:minor`.
    let device: String
    let folder: String
    let type: String

    package init?(_ line: String) {
      let fields = line.split { $0 == " " || $0 == "\n" }
      guard fields.count > 4, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else {
        return nil
      }
      device = String(fields[2])
      folder = Self.unescaped(fields[4])
      type = String(fields[dash + 1])
    }

    func isAbove(_ path: String) -> Bool {
      folder == "/" || path == folder || path.hasPrefix(folder + "/")
    }

    /// Decodes blanks, tabs, newlines and backslashes, written as `\` and three octal digits.
    private static func unescaped(_ field: Substring) -> String {
      var bytes: [UInt8] = []
      var rest = field.utf8[...]
      while let byte = rest.popFirst() {
        let digits = String(Substring(rest.prefix(3)))
        if byte == UInt8(ascii: "\\"), digits.utf8.count == 3, let escaped = UInt8(digits, radix: 8) {
          bytes.append(escaped)
          rest = rest.dropFirst(3)
        } else {
          bytes.append(byte)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Formats a device number as glibc's <sys/sysmacros.h> splits it.
    static func name(of device: UInt64) -> String {
      let major = (device >> 8) & 0xFFF | (device >> 32) & 0xFFFF_F000
      let minor = device & 0xFF | (device >> 12) & 0xFFFF_FF00
      return "\(major):\(minor)"
    }
  }
}
