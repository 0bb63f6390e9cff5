import Glibc

/// Library that is compiled from a file in Tests/Preloaded, for LD_PRELOAD.
struct PreloadedLibrary {
  private let folder: Folder
  let path: String

  init?(_ name: String, for what: String) {
    guard let compiler = Program.installed("cc") ?? Program.installed("clang"), let folder = try? Folder()
    else {
      print("SKIPPED: \(what), since there is no C compiler")
      return nil
    }
    let tests = #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 }
    let source = "\(tests)/Preloaded/\(name).c"
    let library = folder / "\(name).so"
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    let child = try? Child(
      compiler, ["-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], environment: ["PATH": path])
    guard let child else { return nil }
    var status: Int32 = 0
    guard waitpid(child.pid, &status, 0) == child.pid, status == 0 else {
      print("SKIPPED: \(what), since \(source) does not compile: \(child.errors)")
      return nil
    }
    (self.folder, self.path) = (folder, library)
  }
}
