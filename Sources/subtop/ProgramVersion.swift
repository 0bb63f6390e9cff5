import CProcess

/// Version of the program, with the commit if the build knew it.
enum ProgramVersion {
  static let text = String(cString: process_version())
}
