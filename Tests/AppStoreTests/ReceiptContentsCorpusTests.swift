import AppStore
import Subscriptions
import TestSupport
import Testing

@Suite(.enabled(if: Corpus.isPresent, "../shared/corpus is not beside the repository"))
struct ReceiptContentsCorpusTests {
  /// The index contains what another program found in each receipt.
  @Test func everyRealReceiptMatchesTheIndex() throws {
    var (read, oldStyle) = (0, 0)
    for file in Corpus.files(kind: "b") {
      let contents = try receipt(file).flatMap { ReceiptContents($0) }
      let note = note(of: file) ?? ""
      // One receipt is wrapped in a library's JSON, and therefore unreadable.
      if let id = Self.word(after: "transaction-id=", in: note), let found = contents {
        #expect(found.transactionIDs == [TransactionID(id)] && found.originalTransactionIDs.count == 1)
        #expect(found.bundleID?.rawValue == Self.word(after: "bid=", in: note), "\(file)")
        oldStyle += 1
        continue
      }
      guard note.contains("PKCS#7 ") else {
        #expect(contents == nil, "\(file)")
        continue
      }
      let found = try #require(contents, "\(file)")
      let says = "type \(found.receiptType ?? ""); bundle \(found.bundleID?.rawValue ?? ""); "
      #expect(note.contains(says), "\(file): \(says)")
      #expect(
        note.contains("in-app \(found.transactionIDs.count) "), "\(file): \(found.transactionIDs.count)")
      #expect(found.originalTransactionIDs.count <= found.transactionIDs.count)
      read += 1
    }
    print("corpus: \(read) receipts, whose contents are as the index says")
    #expect(read >= 24 && oldStyle >= 4)
  }

  private static func word(after key: String, in note: Substring) -> String? {
    note.firstRange(of: key).map {
      String(note[$0.upperBound...].prefix { $0 != "," && $0 != " " && $0 != "|" })
    }
  }

  @Test(arguments: CorpusExchange.all)
  func appleAnsweredWithTheSamePurchases(_ exchange: CorpusExchange) throws {
    let contents = try #require(try receipt(exchange.receipt).flatMap { ReceiptContents($0) })
    let bytes = try #require(Corpus.bytes(of: exchange.response))
    let answer = try #require(try KeptResponse(decoding: bytes).response.answer)
    #expect(contents.bundleID == answer.bundleID)
    #expect(!contents.transactionIDs.isEmpty)
    #expect(contents.transactionIDs.isSubset(of: answer.transactions.map(\.transactionID)))
    #expect(contents.originalTransactionIDs.isSubset(of: answer.transactions.map(\.originalTransactionID)))
  }

  private func receipt(_ file: String) throws -> ReceiptData? {
    ReceiptData(base64: String(decoding: try #require(Corpus.bytes(of: file)), as: UTF8.self))
  }

  private func note(of file: String) -> Substring? {
    String(decoding: Corpus.bytes(of: "INDEX.md") ?? [], as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("| b ") && $0.contains(file) }
  }
}
