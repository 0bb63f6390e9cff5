import Glibc

/// File systems that several machines share, a virtual machine and its host among them. SQLite's write-ahead log needs memory
/// that all who open the file share, which two machines cannot (https://www.sqlite.org/wal.html, "does not work over a network
/// filesystem"), and their locks seldom reach the other side.
///
/// What containers usually lie on (overlay, and the disk below it) is one machine's.
package enum NetworkFileSystem {
  /// As /proc/filesystems and FUSE's drivers name them. Other file systems of FUSE, as encfs and ntfs-3g, lie on one machine.
  private static let types: Set<String> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "ceph", "afs", "coda", "ncpfs", "lustre", "beegfs", "gpfs",
    "gfs2", "ocfs2", "orangefs", "pvfs2", "glusterfs", "davfs", "wekafs", "panfs",
    // Folders of the host in a virtual machine: QEMU and WSL, Docker Desktop, VirtualBox, VMware, Parallels.
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

  /// The type of a folder's file system where several machines share it; nil where none is known to.
  static func refused(_ folder: String) -> String? {
    type(of: folder).flatMap { contains($0) ? $0 : nil }
  }

  /// The type of the mount that a folder lies on; nil where the system does not tell.
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

  /// A device that no mount has, as btrfs gives one to each subvolume, is the mount's whose folders go furthest towards it; of two
  /// on one folder the later hides the earlier.
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
  /// A line of /proc/self/mountinfo (proc_pid_mountinfo(5)).
  package struct Mount: Sendable {
    /// `major:minor`
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

    /// Blanks, tabs, newlines and backslashes stand there as `\` and three octal digits.
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

    /// As glibc's <sys/sysmacros.h> takes the numbers out of a device's.
    static func name(of device: UInt64) -> String {
      let major = (device >> 8) & 0xFFF | (device >> 32) & 0xFFFF_F000
      let minor = device & 0xFF | (device >> 12) & 0xFFFF_FF00
      return "\(major):\(minor)"
    }
  }
}
