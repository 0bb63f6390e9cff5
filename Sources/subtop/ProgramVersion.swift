import CProcess

/// The version, with the commit where the build was told it.
enum ProgramVersion {
  static let text = String(cString: process_version())
}
