import ArgumentParser

/// A command that is about all commands.
protocol ProgramCommand: ParsableCommand {
  func run(under root: any ParsableCommand.Type) throws
}

/// The manual page in mdoc(7): every help topic is a section.
enum ManualPage {
  static func text(of program: any ParsableCommand.Type) throws -> String {
    let configuration = program.configuration
    let head = """
      .Dd November 23, 2026
      .Dt SUBTOP 1
      .Os
      .Sh NAME
      .Nm subtop
      .Nd top for subscriptions
      .Sh SYNOPSIS
      .Nm
      .Op Ar command
      .Op Ar options
      .Sh DESCRIPTION
      \(Markdown(configuration.abstract + "\n\n" + configuration.discussion).mdoc)
      """
    return try HelpTopic.all.reduce(into: head) { page, topic in
      // A section's name has no hyphens in manual pages.
      page += ".Sh \(topic.name.uppercased().replacing("-", with: " "))\n"
      page += Markdown(topic.title + ".").mdoc + (try topic.markdown(of: program)).mdoc
    }
  }
}
