/// What can be looked up by `subtop help TOPIC`, and is a section of the manual page.
struct HelpTopic: Sendable {
  let name: String
  /// In a line, for the list of topics.
  let title: String
  /// Made when they are wanted: most of them come from the tables that drive the program.
  let blocks: @Sendable () throws -> [HelpBlock]

  init(_ name: String, _ title: String, blocks: @escaping @Sendable () throws -> [HelpBlock]) {
    self.name = name
    self.title = title
    self.blocks = blocks
  }

  /// In the order of the manual page.
  static let all: [HelpTopic] = [
    .commands, .keys, .lists, .terminal, .figures, .formats, .limits, .secrets, .configuration, .sweeping,
    .store,
    .views, .environment, .files, .exitStatus,
  ]

  static func named(_ name: String) -> HelpTopic? { all.first { $0.name == name } }

  /// The list of topics, as it follows the list of commands.
  static func list(columns: Int) -> String {
    let terms = HelpBlock.terms(all.map { HelpBlock.Term($0.name, $0.title) })
    return "TOPICS:\n" + HelpText(columns: columns).text(of: [terms])
      + "\n  See 'subtop help <topic>', or all of it in the manual: 'man subtop'.\n"
  }

  func text(columns: Int) throws -> String {
    "\(title)\n\n" + HelpText(columns: columns).text(of: try blocks())
  }
}
