import Dashboard
import Files
import Glibc
import Screen
import Subscriptions

/// Dashboard list written to a file: JSON if the name ends in `.json`, otherwise CSV with notes as lines that
/// begin with `#`.
struct ExportFile {
  let path: String

  /// - Parameter path: Path, where `~/` is the home folder.
  init(_ path: String) {
    self.path = path.hasPrefix("~/") ? Environment.home.map { $0 + path.dropFirst() } ?? path : path
  }

  /// Writes the file, which must not exist.
  func write(_ table: TableExport) throws(Failure) {
    let text: String
    do {
      text = path.hasSuffix(".json") ? try jsonText(JSONTable(table)) + "\n" : Self.csv(table)
    } catch {
      throw Failure(.failed, "cannot write \(printable(path)): \(error)")
    }
    do throws(FileProblem) {
      try NewFile.write(Array(text.utf8), to: path)
    } catch .system(_, EEXIST) {
      throw Failure(.failed, "cannot write \(printable(path)): it is there already; name another file")
    } catch .system(_, let code) {
      throw Failure(.failed, "cannot write \(printable(path)): \(errorText(code))")
    } catch {
      throw Failure(.failed, "cannot write \(printable("\(error)", atMost: 300))")
    }
  }

  private static func csv(_ table: TableExport) -> String {
    var csv = CSVText(table.columns)
    for row in table.rows { csv.add(row) }
    let notes = table.notes.map { "# \($0.name): \($0.value.withoutControls)\r\n" }
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
