import AppStore
import Subscriptions
import TestSupport
import Testing

/// Thousands of answers that were tampered with are read, or refused with a sentence that moves no terminal.
@Suite struct MutatedReadingTests {
  private static let answers: [String] = [
    wire(
      latest: [
        wireRow("1", #""is_trial_period": "true", "expires_date": "2026-01-31 00:00:00 Etc/GMT""#),
        wireRow(
          "2", #""is_upgraded": true, "cancellation_date_ms": 1767225600000, "cancellation_reason": 0"#),
      ], inApp: [wireRow(), wireRow("3", #""offer_code_ref_name": "caf\u00e9", "quantity": 2"#)],
      pending: [
        #"{"original_transaction_id": "1", "product_id": "monthly", "auto_renew_status": "1", "expiration_intent": "2"}"#
      ]),
    #"{"status": 21006, "auto_renew_status": 0, "receipt": {"bid": "b", "transaction_id": "7", "product_id": "p", "purchase_date": "1767225600000"}, "latest_expired_receipt_info": {"transaction_id": 8, "product_id": "p", "purchase_date_ms": 1767225600000.0}}"#,
    #"{"status": 21150, "is-retryable": "1", "environment": "Sandbox", "x": [1, 2.5, {"y": [null, true]}]}"#,
    #"{"app_user_id": "u", "observed_at_ms": "1767225600000", "response": {"status": 0, "receipt": {"receipt_type": "ProductionSandbox", "in_app": []}}}"#,
    #"{"notification_type": "DID_RENEW", "password": "s", "environment": "PROD", "bid": "b", "auto_renew_status": "true", "unified_receipt": {"status": 0, "latest_receipt_info": [{"transaction_id": "1", "product_id": "p", "purchase_date_ms": "1767225600000"}, {}], "pending_renewal_info": [{"auto_renew_status": "1"}]}, "x": {"b": 1.5, "a": ["é", 1e3]}}"#,
    #"{"notification": {"notification_type": "CANCEL", "original_transaction_id": 12, "cancellation_date": "2026-01-01 00:00:00 Etc/GMT", "latest_receipt_info": {"bid": "b", "transaction_id": "1", "product_id": "p", "purchase_date": "1767225600000"}}, "observed_at_ms": 1767225600009}"#,
  ]

  @Test(arguments: Array(0..<10) as [UInt64])
  func made(_ seed: UInt64) {
    var mutation = Mutation(seed)
    for answer in Self.answers {
      for _ in 0..<60 { hold(mutation(Array(answer.utf8))) }
    }
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: ["a", "c"] as [Character])
  func real(_ kind: Character) throws {
    var mutation = Mutation(UInt64(kind.asciiValue ?? 0))
    let files = Corpus.files(kind: kind)
    #expect(files.count > 5)
    for file in files {
      let bytes = try #require(Corpus.bytes(of: file))
      hold(bytes)
      for line in bytes.split(separator: 0x0A) where line.count > 2 && files.count < 1000 {
        if bytes.count < 1 << 20 { hold(Array(line)) }
      }
      for _ in 0..<(bytes.count < 1 << 16 ? 12 : 1) { hold(mutation(bytes)) }
    }
  }

  private func hold(_ bytes: [UInt8]) {
    isReadOrRefused { _ = try VerifyReceiptResponse(decoding: bytes, from: .sandbox) }
    isReadOrRefused { _ = try KeptResponse(decoding: bytes) }
    isReadOrRefused { _ = try KeptNotification(decoding: bytes) }
  }

  private func isReadOrRefused(_ read: () throws -> Void) {
    do {
      try read()
    } catch {
      let reason = (error as? UnreadableAnswer)?.reason ?? ""
      #expect(!reason.isEmpty && reason.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "\(error)")
    }
  }
}
