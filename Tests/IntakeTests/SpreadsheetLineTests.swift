import Intake
import Testing

/// First line that sets Excel's field separator.
@Suite("A line for spreadsheets before the header") struct SpreadsheetLineTests {
  @Test(arguments: ["sep=;", "sep=,", "SEP=,", "\"sep=;\"", "sep=\t", "\u{FEFF}sep=;", " sep=; "])
  func isNamed(_ line: String) {
    let rest = "\r\ntransaction_id,receipt,date,product_id\r\n1,MIIB,2026-01-01,a\r\n"
    let bytes = Array((line + rest).utf8)
    let reason = "it is a line for spreadsheets alone, and no header; remove it"
    let bad = [
      IDsFile.read(bytes).badLines, ReceiptsFile.read(bytes).badLines, RatesFile.read(bytes).badLines,
      CatalogFile.read(bytes).badLines,
    ]
    for lines in bad { #expect(lines.map(\.description) == ["line 1: \(reason)"]) }
  }
}
