import AppStore
import Subscriptions
import TestSupport
import Testing

@Suite(.enabled(if: Corpus.isPresent, "../shared/corpus is not beside the repository"))
struct NotificationCorpusTests {
  @Test func everyRealNotificationIsReadOrRefusedWithASentence() {
    let files = Corpus.files(kind: "c")
    var (read, refusals, version2) = (0, [String](), 0)
    for file in files {
      guard let bytes = Corpus.bytes(of: file) else {
        Issue.record("\(file) is in the index and not in the folder")
        continue
      }
      let isVersion1 = String(decoding: bytes, as: UTF8.self).contains("\"notification_type\"")
      do {
        let kept = try KeptNotification(decoding: bytes)
        #expect(isVersion1, "\(file)")
        #expect(!kept.notification.facts.originalTransactionID.rawValue.isEmpty)
        read += 1
      } catch {
        refusals.append("\(file): \(error)")
        #expect(isVersion1 != error.reason.contains("version 2"), "\(file): \(error)")
        version2 += isVersion1 ? 0 : 1
      }
    }
    print(
      "corpus: \(files.count) notifications, \(read) read, \(refusals.count) refused, \(version2) of version 2"
    )
    for refusal in refusals { print("  refused \(refusal)") }
    #expect(read + refusals.count == files.count)
    #expect(read >= 12 && refusals.count - version2 <= 1)
  }
}
