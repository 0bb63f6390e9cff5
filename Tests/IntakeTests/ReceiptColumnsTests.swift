import Intake
import Subscriptions
import Testing

private let remove = "remove one, or give it another name"

extension ReceiptsCases {
  static let columns = [
    FileCase(
      "every column, in another order and among others",
      "bundle_id,note,app_user_id,receipt\r\ncom.example.app,x,u1,MIIB\r\n,,,MIIC\r\n",
      ["MIIB u1 com.example.app", "MIIC - -"]),
    FileCase(
      "quoted fields", "\"receipt\",\"app_user_id\"\n\"MIIB\",\"a, \"\"b\"\"\"\n", ["MIIB a, \"b\" -"]),
    FileCase(
      "bad lines keep their numbers",
      "receipt,app_user_id\nMIIB\n!,u\n,u\n\"MIIB,u\nMIIB,\(String(repeating: "u", count: 1025))\nMIIC,u\n",
      ["MIIC u -"],
      bad: [
        "line 2: it has 1 fields instead of 2", "line 3: receipt is not base64", "line 4: receipt is missing",
        "line 5: a quote is not closed", "line 6: app_user_id is longer than 1024 bytes",
      ]),
    FileCase(
      "a header without receipts", "id,app_user_id\n1,u\n",
      bad: ["line 1: it is neither JSON Lines nor CSV nor one base64 receipt"]),
    FileCase(
      "a column twice", "receipt,app_user_id,Receipt\nMIIB,u,MIIC\n",
      bad: ["line 1: the header names receipt more than once, in columns 1 and 3; \(remove)"]),
    FileCase(
      "a user in two spellings", "receipt,App User ID,app_user_id\nMIIB,u,v\n",
      bad: ["line 1: the header names app_user_id more than once, in columns 2 and 3; \(remove)"]),
    FileCase(
      "rows of other stores are left out",
      "app_user_id,store,receipt\nu,app_store,MIIB\nv,play_store,token.AO-J1\nw,,MIIC\n",
      ["MIIB u -", "MIIC w -"]),
    FileCase(
      "a header of ids", "rc_original_app_user_id,original_store_transaction_id\nu,1\n",
      bad: ["line 1: the header names ids and no receipts; `subtop import ids` reads them"]),
  ]
}

@Suite struct ReceiptColumnsTests {
  @Test func aFieldOverItsLimitIsNamed() {
    let user = String(repeating: "u", count: 1025)
    let reading = ReceiptsFile.read(Array("{\"receipt-data\":\"MIIB\",\"app_user_id\":\"\(user)\"}".utf8))
    #expect(reading.badLines.map(\.description) == ["line 1: app_user_id is longer than 1024 bytes"])
  }

  /// An endless input must be abandoned.
  @Test(arguments: [UInt8(0), UInt8(ascii: "a"), UInt8(ascii: " "), UInt8(ascii: "\n")])
  func abandonsEndlessLines(_ byte: UInt8) {
    let piece = [UInt8](repeating: byte, count: 1 << 20)
    var (pieces, said) = (0, [String]())
    var lines = LineStream<Never> {
      pieces += 1
      return pieces > 200 ? [] : piece
    }
    ReceiptsFile.read(&lines) { _, content in
      if case .bad(let reason) = content { said.append(reason) }
    }
    let isBlank = byte == 0x20 || byte == 0x0A
    #expect(said.last?.contains(isBlank ? "nothing but white space" : "it is longer than 32 MiB") == true)
    #expect(pieces < 80)
  }
}
