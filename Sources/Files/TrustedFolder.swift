/// A folder in which nobody else can put another file in the place of one.
public enum TrustedFolder {
  /// - Parameter owner: a user who is trusted besides this one and root, as whose file is read.
  public static func check(_ path: String, ownedBy owner: UInt32? = nil) throws(FileProblem) {
    _ = try TrustedPath(path, to: .folder(made: false), ownedBy: owner)
  }

  /// Makes it and the folders above it where they are not there yet, for this user alone.
  public static func make(_ path: String) throws(FileProblem) {
    _ = try TrustedPath(path, to: .folder(made: true))
  }
}
