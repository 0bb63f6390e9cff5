import Intake
import Subscriptions
import Testing

@Suite struct IDsFileTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var text: String
    /// `id user app`, with `-` if absent.
    var read: [String] = []
    var bad: [String] = []
    var remarks: [LineRemark: Int] = [:]

    func check() {
      let reading = IDsFile.read(Array(text.utf8))
      let words = reading.items.map { item in
        let id = if case .customer(let id) = item.handle { id.rawValue } else { "receipt" }
        return "\(id) \(item.appUserID?.rawValue ?? "-") \(item.bundleID?.rawValue ?? "-")"
      }
      #expect(words == read)
      #expect(reading.badLines.map(\.reason) == bad)
      #expect(reading.remarks == remarks)
    }
  }

  static let cases = [
    Case(
      testDescription: "CSV with a header",
      text: "original_transaction_id,app_user_id,bundle_id\n2000,u-1,com.example\n2001,,\n",
      read: ["2000 u-1 com.example", "2001 - -"]),
    Case(
      testDescription: "an original id comes before a transaction's",
      text: "transaction_id,user_id,original_transaction_id\n7,u,1\n", read: ["1 u -"]),
    Case(
      testDescription: "JSON Lines, ids as text and as numbers",
      text: """
        {"transaction_id": "20", "app_user_id": "u-1", "bundle_id": "com.example"}
        {"original_transaction_id": 21, "transaction_id": "22"}
        {"appTransactionId": "704346128337567893"}
        """, read: ["20 u-1 com.example", "21 - -", "704346128337567893 - -"]),
    Case(
      testDescription: "bare ids", text: "2000\r\n 2001 \n\n2002",
      read: ["2000 - -", "2001 - -", "2002 - -"]),
    Case(
      testDescription: "what is no id of the App Store's", text: "0\nGPA.33\n{\"app_user_id\": \"u\"}\n12\n",
      read: ["12 - -"],
      bad: [
        "the id is none of the App Store's, which are digits and not 0 alone",
        "the id is none of the App Store's, which are digits and not 0 alone",
        "it has no transaction_id, original_transaction_id or appTransactionId",
      ]),
    Case(
      testDescription: "a line too short", text: "transaction_id,user\n20\n",
      bad: ["it has 1 fields instead of 2"]),
    Case(
      testDescription: "a header as people write it",
      text: "User ID,Original Transaction ID,Bundle-ID\nu,1,com.example\n", read: ["1 u com.example"]),
    Case(
      testDescription: "semicolons", text: "original_transaction_id;user\n\"1\";\"a,b\"\n2;\n",
      read: ["1 a,b -", "2 - -"]),
    Case(
      testDescription: "tabs, with an empty field at either end",
      text: "user\toriginal_transaction_id\ttransaction_id\n\t1\t\nu\t\t2\n", read: ["1 - -", "2 u -"]),
    Case(
      testDescription: "an original id that is empty",
      text: "original_transaction_id,transaction_id,user\n,7,u\n1,8,\n,,v\n", read: ["7 u -", "1 - -"],
      bad: ["original_transaction_id (column 1) is missing"]),
    Case(
      testDescription: "fields of blanks are empty, and of what nobody sees bad",
      text: "transaction_id,user,bundle_id\n1, ,\n2,u,\u{A0}\n3,\u{200B},a\n4, u ,a\n"
        + "5,\" \t\",\n6,u,  \r\n7,,\r\n",
      read: ["1 - -", "4 u a", "5 - -", "6 u -", "7 - -"],
      bad: ["bundle_id is blank", "user (column 2) is blank"]),
    Case(
      testDescription: "fields of blanks between tabs",
      text: "user\ttransaction_id\tstore\n \t1\t \nu\t2\t \n\t3\t\n", read: ["1 - -", "2 u -", "3 - -"]),
    Case(
      testDescription: "a bare id that nobody sees", text: "1\n\u{200B}\n", read: ["1 - -"],
      bad: ["the id is blank"]),
    Case(
      testDescription: "a user of blanks in JSON",
      text:
        "{\"transaction_id\": \"1\", \"app_user_id\": \" \"}\n{\"transaction_id\": \"2\", \"app_user_id\": \"\"}\n"
        + "{\"transaction_id\": \"3\", \"app_user_id\": \"\u{200B}\"}\n",
      read: ["2 - -"], bad: ["app_user_id is blank", "app_user_id is blank"]),
    Case(
      testDescription: "what is wrong in JSON is told by its key",
      text: """
        {"original_transaction_id": "GPA.33"}
        {"original_transaction_id": "", "transactionId": "0"}
        {"transaction_id": "3", "bundle_id": " "}
        {"transaction_id": " "}
        """,
      bad: [
        "original_transaction_id is none of the App Store's, which are digits and not 0 alone",
        "transactionId is none of the App Store's, which are digits and not 0 alone", "bundle_id is blank",
        "transaction_id is blank",
      ]),
    Case(
      testDescription: "rows of other stores",
      text: "user,store,transaction_id\nu,app_store,1\nv,Stripe,sub_1\n",
      read: ["1 u -"], remarks: [.otherStore(.stripe): 1]),
    Case(
      testDescription:
        "files put behind each other that have other columns, a byte order mark, lines as on Windows",
      text: "user,transaction_id\nu,1\n\u{FEFF}transaction_id,store,user\r\n2,app_store,v\r\n3,stripe,w\r\n",
      read: ["1 u -", "2 v -"], remarks: [.otherStore(.stripe): 1]),
    Case(
      testDescription: "a header of receipts", text: "app_user_id,receipt\nu,MIIB\n",
      bad: ["the header names receipts and no ids; `subtop import receipts` reads them"]),
    Case(
      testDescription: "Apple's own names",
      text: """
        {"originalTransactionId": "1", "transactionId": "2", "app_user_id": "u"}
        {"transactionId": 2}
        {"originalTransactionId": "", "transactionId": "3"}
        """, read: ["1 u -", "2 - -", "3 - -"]),
    Case(
      testDescription: "JSON numbers with an exponent or a point, and beyond 64 bits",
      text: """
        {"originalTransactionId": 5.04319184420155588e17, "app_user_id": "u"}
        {"transaction_id": 2.00000E+15}
        {"appTransactionId": 704346128337567893.0}
        {"originalTransactionId": 9223372036854775808, "app_user_id": "u"}
        {"original_transaction_id": 18446744073709551615}
        {"transactionId": "5.04319184420155588e17"}
        """,
      read: ["9223372036854775808 u -", "18446744073709551615 - -"],
      bad: [
        "originalTransactionId \(inexact)", "transaction_id \(inexact)", "appTransactionId \(inexact)",
        "transactionId is a number that a spreadsheet rounded; import the file as it was before it was opened there",
      ]),
    Case(
      testDescription: "a column that the header names twice",
      text: "original_transaction_id,original_transaction_id,app_user_id\n1,2,u\n",
      bad: [twice("original_transaction_id", "1 and 2")]),
    Case(
      testDescription: "a column in two spellings",
      text: "Original Transaction ID;app_user_id;originalTransactionId\n1;u;2\n",
      bad: [twice("original_transaction_id", "1 and 3")]),
    Case(
      testDescription: "a user in two spellings",
      text: "transaction_id,App User ID,app_user_id\n1,u,v\n",
      bad: [twice("app_user_id", "2 and 3")]),
    Case(
      testDescription: "a bundle twice", text: "transaction_id,bundle_id,Bundle-ID\n1,a,b\n",
      bad: [twice("bundle_id", "2 and 3")]),
    Case(
      testDescription: "a store twice", text: "store,transaction_id,Store\n,1,stripe\n",
      bad: [twice("store", "1 and 3")]),
    Case(
      testDescription: "a platform twice", text: "platform,transaction_id,platform\n,1,stripe\n",
      bad: [twice("platform", "1 and 3")]),
    Case(
      testDescription: "an export's id beside one of its own",
      text: "original_store_transaction_id,original_transaction_id,app_user_id\n1,2,u\n",
      bad: [
        "the header has original_transaction_id (column 2) and original_store_transaction_id (column 1), which hold the same; \(remove)"
      ]),
    Case(
      testDescription: "an export's user beside one of its own",
      text: "app_user_id,rc_original_app_user_id,original_store_transaction_id\nu,v,1\n",
      bad: [
        "the header has app_user_id (column 1) and rc_original_app_user_id (column 2), which both name the user; \(remove)"
      ]),
    Case(
      testDescription: "a column twice in a header behind rows",
      text: "user,transaction_id\nu,1\ntransaction_id,transaction_id\n2,3\n", read: ["1 u -"],
      bad: [twice("transaction_id", "1 and 2")]),
    Case(
      testDescription: "columns twice that nothing is taken of",
      text: "note,transaction_id,note\na,1,b\n", read: ["1 - -"]),
    Case(
      testDescription: "an id in two spellings of JSON",
      text: """
        {"original_transaction_id": "1", "originalTransactionId": "2"}
        {"transactionId": "3", "transaction_id": "4"}
        {"original_transaction_id": "5", "originalTransactionId": 5, "transaction_id": "6"}
        """, read: ["5 - -"],
      bad: [
        "original_transaction_id and originalTransactionId are not the same id; remove one",
        "transaction_id and transactionId are not the same id; remove one",
      ]),
    Case(
      testDescription: "an id with a character that is not seen",
      text: "transaction_id,bundle_id\n1\u{A0},\n2\u{200B}3,\n\u{FEFF}4,\n5,com.example\u{A0}\n6,a\n",
      read: ["6 - a"],
      bad: [
        "transaction_id (column 1) \(unseen("00A0"))", "transaction_id (column 1) \(unseen("200B"))",
        "transaction_id (column 1) \(unseen("FEFF"))", "bundle_id \(unseen("00A0"))",
      ]),
    Case(
      testDescription: "a bare id and one in JSON with a no-break space",
      text: "1\u{A0}\n{\"transaction_id\": \"2\u{A0}\"}\n3\n", read: ["3 - -"],
      bad: ["the id \(unseen("00A0"))", "transaction_id \(unseen("00A0"))"]),
    Case(
      testDescription: "a header with a no-break space",
      text: "transaction_id\u{A0},\u{200B}user\n1,u\n", read: ["1 u -"]),
    Case(
      testDescription: "a line for spreadsheets before the header",
      text: "sep=;\noriginal_transaction_id;user\n1;u\n",
      bad: ["it is a line for spreadsheets alone, and no header; remove it"]),
    Case(
      testDescription: "a header of other columns is named once", text: "foo,bar\n1,2\n3,4\n",
      bad: [unknownHeader]),
    Case(
      testDescription: "a header over bare ids", text: "customer\n1\n2\n", read: ["1 - -", "2 - -"],
      bad: [unknownHeader]),
    Case(testDescription: "nothing", text: "", bad: ["the file is empty"]),
  ]

  private static let inexact =
    "is a number with a point or an exponent, which may have lost digits; write the id as text"
  private static let remove = "remove one, or give it another name"
  private static func twice(_ name: String, _ columns: String) -> String {
    "the header names \(name) more than once, in columns \(columns); \(remove)"
  }
  private static func unseen(_ code: String) -> String {
    "holds a character that is not seen, U+\(code); remove it"
  }
  private static let unknownHeader =
    "the header names no column of ids, which is to be original_transaction_id, transaction_id or appTransactionId; rename one"

  @Test(arguments: cases) func read(_ one: Case) { one.check() }
}
