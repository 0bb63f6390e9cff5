import Dashboard
import Glibc

/// A list of the dashboard as a file: JSON where its name ends so, else CSV, the notes as lines that begin with `#`.
struct ExportFile {
  let path: String

  /// - Parameter path: `~/` is the home folder.
  init(_ path: String) {
    let home = Environment.variable("HOME") ?? ""
    self.path = path.hasPrefix("~/") && !home.isEmpty ? home + path.dropFirst() : path
  }

  /// Never over a file that is there.
  func write(_ table: TableExport) throws(Failure) {
    let text: String
    do {
      text = path.hasSuffix(".json") ? try jsonText(JSONTable(table)) + "\n" : Self.csv(table)
    } catch {
      throw Failure(.failed, "cannot write \(printable(path)): \(error)")
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let why = errno == EEXIST ? "it is there already; name another file" : String(cString: strerror(errno))
      throw Failure(.failed, "cannot write \(printable(path)): \(why)")
    }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let why = String(cString: strerror(errno))
        close(descriptor)
        unlink(path)
        throw Failure(.failed, "cannot write \(printable(path)): \(why)")
      }
      rest = rest.dropFirst(count)
    }
    close(descriptor)
  }

  private static func csv(_ table: TableExport) -> String {
    var csv = CSVText(table.columns)
    for row in table.rows { csv.add(row) }
    let notes = table.notes.map { "# \($0.name): \($0.value.harmless)\r\n" }
    return notes.joined() + csv.text
  }

  private struct JSONTable: Encodable {
    let notes: [String: String]
    let rows: [[String: String]]

    init(_ table: TableExport) {
      notes = Dictionary(table.notes.map { ($0.name, $0.value) }) { first, _ in first }
      rows = table.rows.map { Dictionary(zip(table.columns, $0)) { first, _ in first } }
    }
  }
}
