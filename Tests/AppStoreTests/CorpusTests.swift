import AppStore
import Subscriptions
import TestSupport
import Testing

/// Real answers, collected from public repositories; nothing here knows what they say.
@Suite(.enabled(if: Corpus.isPresent, "../shared/corpus is not beside the repository"))
struct CorpusTests {
  @Test func everyRealAnswerIsReadOrRefusedWithASentence() {
    let files = Corpus.files(kind: "a")
    var (answers, statuses, refusals) = (0, 0, [String]())
    for file in files {
      guard let bytes = Corpus.bytes(of: file) else {
        Issue.record("\(file) is in the index and not in the folder")
        continue
      }
      do {
        if try KeptResponse(decoding: bytes).response.answer == nil { statuses += 1 } else { answers += 1 }
      } catch {
        refusals.append("\(file): \(error)")
        #expect(!error.reason.isEmpty)
      }
    }
    print(
      "corpus: \(files.count) files, \(answers) answers, \(statuses) error statuses, \(refusals.count) refused"
    )
    for refusal in refusals { print("  refused \(refusal)") }
    #expect(answers + statuses + refusals.count == files.count)
    #expect(answers > files.count / 2)
  }
}
