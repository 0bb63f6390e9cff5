import Intake
import Subscriptions
import Testing

@Suite struct IDsFileTests {
  /// Items are written as id, app user and app, with `-` for a missing value.
  static let cases = [
    FileCase(
      "CSV with a header", "original_transaction_id,app_user_id,bundle_id\n2000,u-1,com.example\n2001,,\n",
      ["2000 u-1 com.example", "2001 - -"]),
    FileCase(
      "an original id comes before a transaction's",
      "transaction_id,user_id,original_transaction_id\n7,u,1\n", ["1 u -"]),
    FileCase(
      "JSON Lines, ids as text and as numbers",
      """
      {"transaction_id": "20", "app_user_id": "u-1", "bundle_id": "com.example"}
      {"original_transaction_id": 21, "transaction_id": "22"}
      {"appTransactionId": "704346128337567893"}
      """, ["20 u-1 com.example", "21 - -", "704346128337567893 - -"]),
    FileCase("bare ids", "2000\r\n 2001 \n\n2002", ["2000 - -", "2001 - -", "2002 - -"]),
    FileCase(
      "what is no id of the App Store's", "0\nGPA.33\n{\"app_user_id\": \"u\"}\n12\n", ["12 - -"],
      bad: [
        "the id is not an App Store id, which has only digits and is not 0",
        "the id is not an App Store id, which has only digits and is not 0",
        "it has no transaction_id, original_transaction_id or appTransactionId",
      ]),
    FileCase("a line too short", "transaction_id,user\n20\n", bad: ["it has 1 fields instead of 2"]),
    FileCase(
      "a header as people write it", "User ID,Original Transaction ID,Bundle-ID\nu,1,com.example\n",
      ["1 u com.example"]),
    FileCase("semicolons", "original_transaction_id;user\n\"1\";\"a,b\"\n2;\n", ["1 a,b -", "2 - -"]),
    FileCase(
      "tabs, with an empty field at either end",
      "user\toriginal_transaction_id\ttransaction_id\n\t1\t\nu\t\t2\n", ["1 - -", "2 u -"]),
    FileCase(
      "an original id that is empty", "original_transaction_id,transaction_id,user\n,7,u\n1,8,\n,,v\n",
      ["7 u -", "1 - -"], bad: ["original_transaction_id (column 1) is missing"]),
    FileCase(
      "blank fields are empty, and fields of invisible characters bad",
      "transaction_id,user,bundle_id\n1, ,\n2,u,\u{A0}\n3,\u{200B},a\n4, u ,a\n"
        + "5,\" \t\",\n6,u,  \r\n7,,\r\n", ["1 - -", "4 u a", "5 - -", "6 u -", "7 - -"],
      bad: ["bundle_id is blank", "user (column 2) is blank"]),
    FileCase(
      "fields of blanks between tabs", "user\ttransaction_id\tstore\n \t1\t \nu\t2\t \n\t3\t\n",
      ["1 - -", "2 u -", "3 - -"]),
    FileCase("a bare invisible id", "1\n\u{200B}\n", ["1 - -"], bad: ["the id is blank"]),
    FileCase(
      "a user of blanks in JSON",
      "{\"transaction_id\": \"1\", \"app_user_id\": \" \"}\n{\"transaction_id\": \"2\", \"app_user_id\": \"\"}\n"
        + "{\"transaction_id\": \"3\", \"app_user_id\": \"\u{200B}\"}\n", ["2 - -"],
      bad: ["app_user_id is blank", "app_user_id is blank"]),
    FileCase(
      "errors in JSON name the key",
      """
      {"original_transaction_id": "GPA.33"}
      {"original_transaction_id": "", "transactionId": "0"}
      {"transaction_id": "3", "bundle_id": " "}
      {"transaction_id": " "}
      """,
      bad: [
        "original_transaction_id is not an App Store id, which has only digits and is not 0",
        "transactionId is not an App Store id, which has only digits and is not 0", "bundle_id is blank",
        "transaction_id is blank",
      ]),
    FileCase(
      "rows of other stores", "user,store,transaction_id\nu,app_store,1\nv,Stripe,sub_1\n", ["1 u -"],
      remarks: [.otherStore(.stripe): 1]),
    FileCase(
      "files put behind each other that have other columns, a byte order mark, lines as on Windows",
      "user,transaction_id\nu,1\n\u{FEFF}transaction_id,store,user\r\n2,app_store,v\r\n3,stripe,w\r\n",
      ["1 u -", "2 v -"], remarks: [.otherStore(.stripe): 1]),
    FileCase(
      "a header of receipts", "app_user_id,receipt\nu,MIIB\n",
      bad: ["the header has receipts, not ids; use `subtop import receipts`"]),
    FileCase(
      "Apple's own names",
      """
      {"originalTransactionId": "1", "transactionId": "2", "app_user_id": "u"}
      {"transactionId": 2}
      {"originalTransactionId": "", "transactionId": "3"}
      """, ["1 u -", "2 - -", "3 - -"]),
    FileCase(
      "JSON numbers with an exponent or a point, and beyond 64 bits",
      """
      {"originalTransactionId": 5.04319184420155588e17, "app_user_id": "u"}
      {"transaction_id": 2.00000E+15}
      {"appTransactionId": 704346128337567893.0}
      {"originalTransactionId": 9223372036854775808, "app_user_id": "u"}
      {"original_transaction_id": 18446744073709551615}
      {"transactionId": "5.04319184420155588e17"}
      """, ["9223372036854775808 u -", "18446744073709551615 - -"],
      bad: [
        "originalTransactionId \(inexact)", "transaction_id \(inexact)", "appTransactionId \(inexact)",
        "transactionId was rounded by a spreadsheet; import the file as it was before",
      ]),
    FileCase(
      "a column that the header names twice",
      "original_transaction_id,original_transaction_id,app_user_id\n1,2,u\n",
      bad: [twice("original_transaction_id", "1 and 2")]),
    FileCase(
      "a column in two spellings", "Original Transaction ID;app_user_id;originalTransactionId\n1;u;2\n",
      bad: [twice("original_transaction_id", "1 and 3")]),
    FileCase(
      "a user in two spellings", "transaction_id,App User ID,app_user_id\n1,u,v\n",
      bad: [twice("app_user_id", "2 and 3")]),
    FileCase(
      "a bundle twice", "transaction_id,bundle_id,Bundle-ID\n1,a,b\n", bad: [twice("bundle_id", "2 and 3")]),
    FileCase("a store twice", "store,transaction_id,Store\n,1,stripe\n", bad: [twice("store", "1 and 3")]),
    FileCase(
      "a platform twice", "platform,transaction_id,platform\n,1,stripe\n", bad: [twice("platform", "1 and 3")]
    ),
    FileCase(
      "an export's id beside one of its own",
      "original_store_transaction_id,original_transaction_id,app_user_id\n1,2,u\n",
      bad: [
        "the header has original_transaction_id (column 2) and original_store_transaction_id (column 1), which contain the same id; \(remove)"
      ]),
    FileCase(
      "an export's user beside one of its own",
      "app_user_id,rc_original_app_user_id,original_store_transaction_id\nu,v,1\n",
      bad: [
        "the header has app_user_id (column 1) and rc_original_app_user_id (column 2), which both name the user; \(remove)"
      ]),
    FileCase(
      "a column twice in a header behind rows",
      "user,transaction_id\nu,1\ntransaction_id,transaction_id\n2,3\n", ["1 u -"],
      bad: [twice("transaction_id", "1 and 2")]),
    FileCase("columns twice that nothing is taken of", "note,transaction_id,note\na,1,b\n", ["1 - -"]),
    FileCase(
      "an id in two spellings of JSON",
      """
      {"original_transaction_id": "1", "originalTransactionId": "2"}
      {"transactionId": "3", "transaction_id": "4"}
      {"original_transaction_id": "5", "originalTransactionId": 5, "transaction_id": "6"}
      """, ["5 - -"],
      bad: [
        "original_transaction_id and originalTransactionId are not the same id; remove one",
        "transaction_id and transactionId are not the same id; remove one",
      ]),
    FileCase(
      "an id with a character that is not seen",
      "transaction_id,bundle_id\n1\u{A0},\n2\u{200B}3,\n\u{FEFF}4,\n5,com.example\u{A0}\n6,a\n", ["6 - a"],
      bad: [
        "transaction_id (column 1) \(unseen("00A0"))", "transaction_id (column 1) \(unseen("200B"))",
        "transaction_id (column 1) \(unseen("FEFF"))", "bundle_id \(unseen("00A0"))",
      ]),
    FileCase(
      "a bare id and one in JSON with a no-break space", "1\u{A0}\n{\"transaction_id\": \"2\u{A0}\"}\n3\n",
      ["3 - -"], bad: ["the id \(unseen("00A0"))", "transaction_id \(unseen("00A0"))"]),
    FileCase("a header with a no-break space", "transaction_id\u{A0},\u{200B}user\n1,u\n", ["1 u -"]),
    FileCase("a header of other columns is named once", "foo,bar\n1,2\n3,4\n", bad: [unknownHeader]),
    FileCase("a header over bare ids", "customer\n1\n2\n", ["1 - -", "2 - -"], bad: [unknownHeader]),
    FileCase("nothing", "", bad: ["the file is empty"]),
  ]

  private static let inexact =
    "is a number with a decimal point or an exponent and may have lost digits; write the id as text"
  private static let remove = "remove or rename one"
  private static func twice(_ name: String, _ columns: String) -> String {
    "the header names \(name) more than once, in columns \(columns); \(remove)"
  }
  private static func unseen(_ code: String) -> String {
    "contains an invisible character, U+\(code); remove it"
  }
  private static let unknownHeader =
    "the header has no column of ids; rename one to original_transaction_id, transaction_id or appTransactionId"

  @Test(arguments: cases + HostedExportTests.cases) func read(_ one: FileCase) {
    let reading = IDsFile.read(one.bytes)
    let words = reading.items.map { item in
      let id = if case .customer(let id) = item.handle { id.rawValue } else { "receipt" }
      return "\(id) \(item.appUserID?.rawValue ?? "-") \(item.bundleID?.rawValue ?? "-")"
    }
    #expect(words == one.items)
    #expect(reading.badLines.map(\.reason) == one.bad)
    #expect(reading.remarks == one.remarks)
  }
}
