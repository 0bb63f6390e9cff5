import AppStore
import FoundationEssentials
import Subscriptions
import TestSupport
import Testing

private let der = ReceiptEncoding(length: .definite)

@Suite struct ReceiptContentsTests {
  private static let usual = der.receipt(
    type: "Production", bundle: "com.example.app", ["70": "7", "71": "7"])

  @Test(arguments: [ReceiptEncoding.Length.definite, .padded, .indefinite])
  func readsEveryFormOfLengths(_ length: ReceiptEncoding.Length) throws {
    let bytes = ReceiptEncoding(length: length).receipt(
      type: "ProductionSandbox", bundle: "com.example.app", ["70": "7", "71": "7", "80": "8"])
    let contents = try #require(read(bytes))
    #expect(contents.bundleID == BundleID("com.example.app"))
    #expect(contents.receiptType == "ProductionSandbox")
    #expect(contents.transactionIDs == Set(["70", "71", "80"].map(TransactionID.init)))
    #expect(contents.originalTransactionIDs == Set(["7", "8"].map(OriginalTransactionID.init)))
  }

  @Test func readsTheAppOfAReceiptWithoutPurchases() throws {
    let contents = try #require(read(der.receipt(type: "Production", bundle: "a.b", [:])))
    #expect(contents.bundleID == BundleID("a.b"))
    #expect(contents.transactionIDs.isEmpty && contents.originalTransactionIDs.isEmpty)
  }

  @Test func joinsAPayloadInParts() throws {
    let payload = der.payload(type: "Production", bundle: "a.b", ["1": "1"])
    let parts = [payload.prefix(9), payload.dropFirst(9)].flatMap { der.tlv(0x04, Array($0)) }
    #expect(read(der.container(der.tlv(0x24, parts)))?.bundleID == BundleID("a.b"))
  }

  /// Some signers wrap the payload twice.
  @Test(arguments: [ReceiptEncoding.Length.definite, .padded, .indefinite])
  func readsADoublyWrappedPayload(_ length: ReceiptEncoding.Length) {
    let encoding = ReceiptEncoding(length: length)
    let payload = encoding.payload(type: "Production", bundle: "a.b", ["1": "1"])
    let wrapped = encoding.tlv(0x04, encoding.tlv(0x04, payload))
    #expect(read(encoding.container(wrapped))?.customerID?.rawValue == "1")
    #expect(read(encoding.container(wrapped))?.transactionIDs == [TransactionID("1")])
    #expect(
      read(encoding.container(encoding.tlv(0x04, wrapped))) == nil, "not accepted if wrapped three times")
  }

  @Test(arguments: [
    (
      "as Apple wrote it",
      oldStyle(#"{\n\t"bid" = "a.b";\n\t"transaction-id" = "71";\n\t"original-transaction-id" = "7";\n}"#)
    ),
    ("without quotes", oldStyle(#"{bid=a.b;"transaction-id"=71;original-transaction-id=7;}"#)),
    (
      "with more in it",
      oldStyle(
        #"{ "bvrs" = "1.0"; "bid" = "a.b"; "quantity" = "1"; "transaction-id" = "71"; "original-transaction-id" = "7"; }"#
      )
    ),
  ])
  func readsIOS6Receipts(_ name: String, _ bytes: [UInt8]) throws {
    let contents = try #require(read(bytes))
    #expect(contents.bundleID == BundleID("a.b"))
    #expect(contents.transactionIDs == [TransactionID("71")])
    #expect(contents.originalTransactionIDs == [OriginalTransactionID("7")])
  }

  /// - Parameter purchase: Property list, with `\n` and `\t` as escapes.
  private static func oldStyle(_ purchase: String) -> [UInt8] {
    let text = purchase.replacing(#"\n"#, with: "\n").replacing(#"\t"#, with: "\t")
    let info = Data(text.utf8).base64EncodedString()
    return Array(
      "{\n\t\"signature\" = \"AAAA\";\n\t\"purchase-info\" = \"\(info)\";\n\t\"pod\" = \"45\";\n}".utf8)
  }

  @Test func receiptsOfOneCustomerShareAPurchaseAndTheApp() throws {
    let mine = try #require(read(der.receipt(type: "Production", bundle: "a.b", ["70": "7", "71": "7"])))
    let newer = try #require(read(der.receipt(type: "Production", bundle: "a.b", ["72": "7"])))
    let restored = try #require(read(der.receipt(type: "Production", bundle: "a.b", ["70": "9"])))
    let elsewhere = try #require(read(der.receipt(type: "Production", bundle: "a.c", ["70": "7"])))
    let others = try #require(read(der.receipt(type: "Production", bundle: "a.b", ["80": "8"])))
    let empty = try #require(read(der.receipt(type: "Production", bundle: "a.b", [:])))
    let old = try #require(read(Self.oldStyle(#"{bid=a.b;transaction-id=71;original-transaction-id=7;}"#)))
    #expect([newer, restored, old].allSatisfy { mine.isOfSameCustomer(as: $0) })
    #expect(![elsewhere, others, empty].contains { mine.isOfSameCustomer(as: $0) })
    #expect(!empty.isOfSameCustomer(as: empty))
  }

  private static func holding(_ attribute: [UInt8]) -> [UInt8] {
    der.container(der.tlv(0x04, der.tlv(0x31, attribute)))
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) { (testDescription, self.bytes) = (name, bytes) }
    init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }
  }

  @Test(arguments: [
    Case("one byte", [0x30]), Case("words", "not a receipt at all"),
    Case("NULs", [UInt8](repeating: 0, count: 64)),
    Case("an iOS 6 receipt without a purchase", "{\n\t\"signature\" = \"AAAA\";\n\t\"pod\" = \"45\";\n}"),
    Case("an iOS 6 receipt cut short", Array(oldStyle("{bid=a.b;transaction-id=71;}").dropLast())),
    Case("an iOS 6 receipt whose purchase is cut short", oldStyle("{bid=a.b;transaction-id=71;")),
    Case("signed JSON", "{\"alg\":\"ES256\",\"x5c\":[]}"),
    Case("cut short", Array(usual.dropLast(1))), Case("with more behind it", usual + [0]),
    Case("a length beyond its end", [0x30, 0x84, 0x7F, 0xFF, 0xFF, 0xFF, 0x06]),
    Case("a length beyond all numbers", [0x30, 0x88] + [UInt8](repeating: 0xFF, count: 8)),
    Case("a length of 127 bytes", [0x30, 0xFF] + [UInt8](repeating: 0xFF, count: 127)),
    Case("never closed", [UInt8](repeating: [0x30, 0x80], times: 20_000)),
    Case("deep", (0..<3_000).reduce(into: []) { bytes, _ in bytes = der.tlv(0x30, bytes) }),
    Case("a tag without end", [UInt8](repeating: 0xBF, count: 5_000)),
    Case("the payload is no set", der.container(der.tlv(0x04, [0x04, 0x01, 0x41]))),
    Case("the payload is empty", der.container(der.tlv(0x04, []))),
    Case("the payload is missing", der.tlv(0x30, der.signedDataType)),
    Case(
      "an attribute's number is too large",
      holding(der.attribute(number: [UInt8](repeating: 0x7F, count: 9), [0x0C, 0x00]))),
    Case("a bundle id is not UTF-8", holding(der.attribute(number: [2], [0x0C, 0x02, 0xC3, 0x28]))),
    Case("a purchase is no set", holding(der.attribute(number: [17], [0x0C, 0x01, 0x41]))),
  ])
  func rejectsMalformedReceipts(_ test: Case) { #expect(read(test.bytes) == nil) }

  /// A store may contain values that another program wrote.
  @Test(arguments: ["A", "AAA=A", "eyeyA-_", "MIIB"])
  func rejectsInvalidBase64(_ text: String) { #expect(ReceiptContents(ReceiptData(trusted: text)) == nil) }

  @Test func corruptBytesDoNotCrash() {
    for place in Self.usual.indices {
      for value in [0, 1, 0x04, 0x1F, 0x24, 0x30, 0x80, 0x84, 0xFF] as [UInt8] {
        var broken = Self.usual
        broken[place] = value
        _ = read(broken)
      }
      #expect(read(Array(Self.usual[..<place])) == nil)
    }
  }

  private func read(_ bytes: [UInt8]) -> ReceiptContents? {
    ReceiptContents(ReceiptData(trusted: Data(bytes).base64EncodedString()))
  }
}

extension [UInt8] {
  fileprivate init(repeating: [UInt8], times: Int) { self = (0..<times).flatMap { _ in repeating } }
}
