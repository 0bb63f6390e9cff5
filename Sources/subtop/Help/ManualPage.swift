import ArgumentParser

/// The manual page in mdoc(7): the commands, and every help topic as a section.
struct ManualPage {
  private let program: ProgramDescription

  init(of root: any ParsableCommand.Type) throws { program = try ProgramDescription(of: root) }

  var text: String {
    get throws {
      let head = [
        ".Dd November 23, 2026\n.Dt SUBTOP 1\n.Os\n",
        ".Sh NAME\n.Nm subtop\n.Nd top for subscriptions\n",
        ".Sh SYNOPSIS\n" + program.commands.map(synopsis).joined(),
        ".Sh DESCRIPTION\n"
          + Self.text(of: [.paragraph(program.abstract)] + HelpBlock.text(program.discussion)),
      ]
      let topics = try HelpTopic.all(of: program).map { topic in
        // A section's name has no hyphens in manual pages.
        let name = topic.name.uppercased().replacing("-", with: " ")
        return ".Sh \(name)\n" + Self.text(of: [.paragraph(topic.title + ".")] + (try topic.blocks()))
      }
      return (head + topics).joined()
    }
  }

  private func synopsis(_ command: ProgramDescription.Command) -> String {
    let words = command.ownArguments.filter(\.isPositional).map { argument in
      let word = ".Ar \(argument.valueName ?? "value")" + (argument.isRepeating ? " ..." : "")
      return argument.isOptional ? ".Op \(word.dropFirst())" : word
    }
    return ".Nm\n.Cm \(command.commandName)\n.Op Ar options\n" + words.map { $0 + "\n" }.joined()
  }

  // MARK: Blocks

  private static func text(of blocks: [HelpBlock]) -> String { blocks.map(text).joined() }

  private static func text(of block: HelpBlock) -> String {
    switch block {
    case .heading(let text): ".Ss \(escaped(text))\n"
    case .paragraph(let text): text.isEmpty ? "" : ".Pp\n\(escaped(text))\n"
    case .items(let items):
      ".Bl -bullet\n" + items.map { ".It\n\(escaped($0))\n" }.joined() + ".El\n"
    case .terms(let terms, let kind):
      ".Bl -tag -width Ds\n"
        + terms.map {
          ".It \(title($0.name, kind))\n" + ($0.meaning.isEmpty ? "" : escaped($0.meaning) + "\n")
        }
        .joined() + ".El\n"
    case .verbatim(let text):
      ".Bd -literal -offset indent\n"
        + text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) + "\n" }
        .joined()
        + ".Ed\n"
    }
  }

  /// A term as macros, of which plain words are none.
  private static func title(_ name: String, _ kind: HelpBlock.Kind) -> String {
    switch kind {
    case .plain: plain(name)
    case .variables: "Ev \(plain(name))"
    case .files: "Pa \(plain(name))"
    case .options:
      name.split(separator: " ").map { word in
        if word.hasPrefix("--") { return "Fl -\(escaped(String(word.dropFirst(2))))" }
        return word.hasPrefix("<") ? "Ar \(word.filter { $0 != "<" && $0 != ">" })" : plain(String(word))
      }.joined(separator: " ")
    }
  }

  /// Words that are not taken for macros or punctuation.
  private static func plain(_ text: String) -> String {
    text.split(separator: " ").map { "\\&\(escaped(String($0)))" }.joined(separator: " ")
  }

  /// What roff would take for a request or an escape.
  private static func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("^", with: "\\(ha")
      .replacing("~", with: "\\(ti").replacing("`", with: "\\(ga")
    return [".", "'"].contains(plain.first.map(String.init)) ? "\\&" + plain : plain
  }
}
