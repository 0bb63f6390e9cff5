import CProcess

/// Version of the program, with the commit if it was known when the program was built.
enum ProgramVersion {
  static let text = String(cString: process_version())
}
