import Subscriptions
import Testing

@Suite("Hostile text in the cells of a spreadsheet")
struct HostileCellTests {
  @Test(arguments: Panel.allCases)
  func noCellIsAFormula(_ panel: Panel) async throws {
    let store = try await HostileStore.shared.value
    for rows in panel == .events ? [[]] : [[], ["--rows"]] {
      let outcome = try await store.subtop.run(
        ["report", panel.rawValue, "--format", "csv", "--at", HostileStore.at] + rows)
      let table = cells(of: outcome.output)
      #expect(table.count > 1)
      let fields = Set(table.map(\.count))
      #expect(fields.count == 1, "a cell that was two")
      for cell in table.joined() where !isNumber(cell) {
        #expect(cell.unicodeScalars.first.map { !"=+-@＝＋－＠\t\r\n".unicodeScalars.contains($0) } ?? true)
      }
    }
  }

  /// Reads RFC 4180 as a spreadsheet does.
  private func cells(of text: String) -> [[String]] {
    var (table, row, cell): ([[String]], [String], String.UnicodeScalarView) = ([], [], .init())
    var isQuoted = false
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      switch (scalar, isQuoted) {
      case ("\"", true) where scalars.first == "\"": cell.append(scalars.removeFirst())
      case ("\"", _): isQuoted.toggle()
      case (",", false), ("\r", false):
        row.append(String(cell))
        cell = .init()
        guard scalar == "\r" else { break }
        _ = scalars.popFirst()
        table.append(row)
        row = []
      default: cell.append(scalar)
      }
    }
    return table
  }

  private func isNumber(_ cell: String) -> Bool {
    cell.first == "-" && cell.count > 1
      && cell.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
  }
}
