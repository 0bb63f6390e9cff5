extension HelpTopic {
  static func commands(of program: ProgramDescription) -> HelpTopic {
    HelpTopic("commands", "Every command with its arguments and options") {
      program.commands.flatMap(\.blocks)
    }
  }
}

extension ProgramDescription.Command {
  fileprivate var blocks: [HelpBlock] {
    let own = ownArguments
    let words = ["subtop", commandName, "[options]"] + own.filter(\.isPositional).map(\.usage)
    let terms = own.map { HelpBlock.Term($0.usage, $0.meaning) }
    return [.heading(commandName), .verbatim(words.joined(separator: " ")), .paragraph(abstract ?? "")]
      + HelpBlock.text(discussion ?? "") + (terms.isEmpty ? [] : [.terms(terms, .options)])
  }
}
