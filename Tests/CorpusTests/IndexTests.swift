import AppStore
import Subscriptions
import TestSupport
import Testing

/// Every real answer says what the corpus' index says that it shows.
@Suite("The index", .enabled(if: Corpus.isPresent, "../shared/corpus is not beside the repository"))
struct IndexTests {
  @Test(arguments: Specimen.all)
  func isWhatTheDomainSees(_ specimen: Specimen) throws {
    let meanings = try specimen.words.map { word in
      try #require(IndexWord(word), "nobody has said what '\(word)' means for the domain")
    }
    if case .unreadable(let reason) = specimen.form {
      #expect(unreadableFiles[specimen.file] != nil, "cannot be read: \(reason)")
      #expect(!reason.isEmpty)
      return
    }
    if case .completed(let reason) = specimen.form {
      #expect(["status is missing", "the answer has the wrong type"].contains(reason))
    }
    let response = try #require(specimen.response)
    for meaning in meanings {
      if case .status(let status) = meaning { #expect(response.status.rawValue == status) }
      if case .retryable(let flag) = meaning { #expect(response.isRetryable == flag) }
    }
    guard let answer = response.answer else {
      // An error says nothing of a subscription, whatever rows its body repeats.
      #expect(response.meaning != .data)
      return
    }
    compare(specimen, meanings, Sight(answer))
  }

  private func compare(_ specimen: Specimen, _ meanings: [IndexWord], _ sight: Sight) {
    var said: Set<String> = []
    for meaning in meanings {
      switch meaning {
      case .shown(let word): said.insert(word)
      case .rows(let count): #expect(sight.answer.transactions.count >= count)
      case .holds(let test): #expect(test(sight.answer))
      case .silent, .status, .retryable: break
      }
    }
    var seen = sight.words
    // Some words stand only in the rows of whole answers; an iOS 6 style answer has its renewal words at the top.
    for word in ["env ", "latest_receipt_info "] where !said.contains(where: { $0.hasPrefix(word) }) {
      if word == "env " || specimen.isCompleted { seen = seen.filter { !$0.hasPrefix(word) } }
    }
    if specimen.words.contains("top-level auto_renew_status (int)") { seen.remove("auto_renew off") }
    let known = indexDifferences[specimen.file]
    #expect(said.subtracting(seen) == known?.missing ?? [], "the index says so and the domain does not")
    #expect(seen.subtracting(said) == known?.added ?? [], "the domain says so and the index does not")
  }

  @Test func countsAreToldAndNothingIsLeftBehind() {
    let files = Set(Specimen.all.map(\.file))
    #expect(files.count > 100)
    #expect(
      Set(indexDifferences.keys).union(unreadableFiles.keys).subtracting(files) == [],
      "not in the index any more")
    var (answers, errors, completed, checked, silent) = (0, 0, 0, 0, 0)
    for specimen in Specimen.all {
      if specimen.isCompleted { completed += 1 }
      if specimen.answer != nil { answers += 1 } else if specimen.response != nil { errors += 1 }
      for word in specimen.words.compactMap({ IndexWord($0) }) {
        switch (word, specimen.answer) {
        case (.silent, _): silent += 1
        case (.status, _), (.retryable, _): checked += specimen.response == nil ? 0 : 1
        default: checked += specimen.answer == nil ? 0 : 1
        }
      }
    }
    print(
      """
      corpus: \(files.count) files, \(answers) answers (\(completed) of them fragments), \(errors) error statuses, \
      \(unreadableFiles.count) unreadable; \(checked) words of the index checked, \(silent) without meaning for the domain
      """)
  }
}
