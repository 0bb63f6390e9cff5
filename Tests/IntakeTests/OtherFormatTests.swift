import Intake
import Testing

/// Errors about files that are not UTF-8 text name the format, and often a command to convert it.
@Suite struct OtherFormatTests {

  private static let encodings = [
    ("UTF-16", [0xFF, 0xFE, 0x7B, 0x00]), ("UTF-16", [0xFE, 0xFF, 0x00, 0x7B]),
    ("UTF-16BE", [0x00, 0x7B, 0x00, 0x22]),
    ("UTF-16LE", [0x7B, 0x00, 0x22, 0x00]), ("UTF-32", [0xFF, 0xFE, 0x00, 0x00]),
    ("UTF-32", [0x00, 0x00, 0xFE, 0xFF]),
    ("UTF-32BE", [0x00, 0x00, 0x00, 0x7B]), ("UTF-32LE", [0x7B, 0x00, 0x00, 0x00]),
  ].map { (name: String, bytes: [UInt8]) in
    (
      "\(name) \(bytes)", bytes,
      "line 1: it is text in \(name); run `iconv -f \(name) -t UTF-8 FILE | subtop import NAME -`"
    )
  }

  @Test(
    arguments: [
      (
        "gzip", [0x1F, 0x8B, 0x08, 0x00],
        "line 1: it is compressed with gzip; run `zcat FILE | subtop import NAME -`"
      ),
      (
        "zstd", [0x28, 0xB5, 0x2F, 0xFD, 0x04],
        "line 1: it is compressed with zstd; run `zstdcat FILE | subtop import NAME -`"
      ),
      (
        "xz", [0xFD] + Array("7zXZ\0".utf8),
        "line 1: it is compressed with xz; run `xzcat FILE | subtop import NAME -`"
      ),
      (
        "bzip2", Array("BZh91AY".utf8),
        "line 1: it is compressed with bzip2; run `bzcat FILE | subtop import NAME -`"
      ),
      (
        "zip", [0x50, 0x4B, 0x03, 0x04, 0x14],
        "line 1: it is compressed with zip; run `unzip -p FILE | subtop import NAME -`"
      ),
      ("PDF", Array("%PDF-1.4\n".utf8), "line 1: it is a PDF, not text with WHAT"),
      ("SQLite", Array("SQLite format 3\0".utf8), "line 1: it is an SQLite database, not text with WHAT"),
    ] + encodings)
  func isNamed(_ testDescription: String, _ bytes: [UInt8], _ says: String) {
    let said = [
      ("receipts", ReceiptsFile.read(bytes).badLines),
      ("responses", ResponsesFile.read(bytes).badLines),
      ("notifications", NotificationsFile.read(bytes).badLines),
      ("catalog", CatalogFile.read(bytes).badLines),
    ]
    for (name, bad) in said {
      #expect(
        bad.map(\.description) == [
          says.replacing("NAME", with: name)
            .replacing("WHAT", with: name == "catalog" ? "a catalogue" : name)
        ])
    }
  }
}
