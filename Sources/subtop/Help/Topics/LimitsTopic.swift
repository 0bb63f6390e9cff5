import AppStore

extension HelpTopic {
  static let limits = HelpTopic("limits", "How much a file, an answer and a field may hold") {
    HelpBlock.text(
      """
      Files of any size are read, line by line. What is over one of these limits is refused with a sentence that names the
      field and its limit: a line of a file is a bad line, an answer of the App Store is asked for again.
      """)
      + [.terms(FieldLimits.table.map { HelpBlock.Term($0.limit, $0.what) })]
  }
}
