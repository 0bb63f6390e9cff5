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
  static func all(of program: ProgramDescription) -> [HelpTopic] {
    [
      .commands(of: program), .keys, .lists, .terminal, .figures, .compare, .alerts, .formats,
      .revenueCat, .adapty, .qonversion, .limits,
      .secrets, .configuration,
      .sweeping, .operating, .store, .views, .environment, .files, .exitStatus,
    ]
  }

  func text(columns: Int) throws -> String {
    "\(title)\n\n" + HelpText(columns: columns).text(of: try blocks())
  }
}

extension [HelpTopic] {
  /// As it follows the list of commands.
  func list(columns: Int) -> String {
    let terms = HelpBlock.terms(map { HelpBlock.Term($0.name, $0.title) })
    return "TOPICS:\n" + HelpText(columns: columns).text(of: [terms])
      + "\n  See 'subtop help <topic>', or all of it in the manual: 'man subtop'.\n"
  }
}
