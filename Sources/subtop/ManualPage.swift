import ArgumentParser
import Dashboard
import FoundationEssentials
import Screen

/// The manual page in mdoc(7), from the definitions of arguments and of keys.
struct ManualPage {
  /// What ArgumentParser tells of a program, as far as it is wanted here.
  private struct Help: Decodable {
    let command: Command
  }

  private struct Command: Decodable {
    let commandName: String
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool
    let subcommands: [Command]?
    let arguments: [Argument]?
  }

  private struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
    }

    let kind: String
    let names: [Name]?
    let abstract: String?
    let valueName: String?
    let isRepeating: Bool
    let isOptional: Bool
    let shouldDisplay: Bool
  }

  private let program: Command

  init() throws {
    program = try JSONDecoder().decode(Help.self, from: Data(Subtop._dumpHelp().utf8)).command
  }

  var text: String {
    let parts = [
      ".Dd November 21, 2026\n.Dt SUBTOP 1\n.Os\n",
      ".Sh NAME\n.Nm subtop\n.Nd top for subscriptions\n",
      ".Sh SYNOPSIS\n" + commands.map(synopsis).joined(separator: ""),
      ".Sh DESCRIPTION\n" + paragraphs(program.abstract) + paragraphs(program.discussion),
      ".Sh COMMANDS\n" + commands.map(section).joined(separator: ""), keys, Self.rest,
    ]
    return parts.joined()
  }

  private var commands: [Command] {
    (program.subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }
      .flatMap { command in
        let inner = (command.subcommands ?? []).filter(\.shouldDisplay)
        guard !inner.isEmpty else { return [command] }
        return inner.map { sub in
          Command(
            commandName: "\(command.commandName) \(sub.commandName)", abstract: sub.abstract,
            discussion: sub.discussion, shouldDisplay: true, subcommands: nil, arguments: sub.arguments)
        }
      }
  }

  private func synopsis(_ command: Command) -> String {
    let words = shown(command).filter { $0.kind == "positional" }.map { argument in
      let word = ".Ar \(argument.valueName ?? "value")" + (argument.isRepeating ? " ..." : "")
      return argument.isOptional ? ".Op \(word.dropFirst())" : word
    }
    return ".Nm\n.Cm \(command.commandName)\n.Op Ar options\n" + words.map { $0 + "\n" }.joined()
  }

  private func shown(_ command: Command) -> [Argument] {
    (command.arguments ?? []).filter {
      $0.shouldDisplay && !["help", "version"].contains($0.names?.last?.name)
    }
  }

  private func section(_ command: Command) -> String {
    let items = shown(command).map { argument in
      let names = (argument.names ?? []).map { name in
        "Fl \(name.kind == "long" ? "-" : "")\(name.name)"
      }
      let value = argument.kind == "flag" ? "" : " Ar \(argument.valueName ?? "value")"
      let title =
        names.isEmpty ? "Ar \(argument.valueName ?? "value")" : names.joined(separator: " , ") + value
      return ".It \(title)\n" + Self.escaped(argument.abstract ?? "") + "\n"
    }
    let list = items.isEmpty ? "" : ".Bl -tag -width Ds\n" + items.joined() + ".El\n"
    return ".Ss \(command.commandName)\n" + paragraphs(command.abstract) + paragraphs(command.discussion)
      + list
  }

  private var keys: String {
    var text = ".Sh KEYS\n"
    for section in Binding.Section.allCases {
      text += ".Ss \(section.rawValue)\n.Bl -tag -width \"PgDn Space\"\n"
      for binding in KeyMap.standard.bindings where binding.section == section {
        let keys = binding.keys.map(\.name).joined(separator: " ")
        text += ".It \(Self.escaped(keys))\n\(Self.escaped(binding.title))\n"
      }
      text += ".El\n"
    }
    return text
  }

  private func paragraphs(_ text: String?) -> String {
    guard let text, !text.isEmpty else { return "" }
    return text.split(separator: "\n").map { ".Pp\n\(Self.escaped(String($0)))\n" }.joined()
  }

  /// What roff would take for a request or an escape.
  private static func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("^", with: "\\(ha")
    return [".", "'"].contains(plain.first.map(String.init)) ? "\\&" + plain : plain
  }

  private static let rest = """
    .Sh ENVIRONMENT
    .Bl -tag -width SUBTOP_SHARED_SECRET
    .It Ev SUBTOP_SHARED_SECRET
    The shared secret of App Store Connect, before what the configuration names.
    .It Ev SUBTOP_STORE
    The store's file, unless
    .Fl -store
    names another.
    .It Ev NO_COLOR
    Anything but the empty text has the dashboard drawn in bold and reverse alone.
    .It Ev XDG_DATA_HOME , XDG_CONFIG_HOME , XDG_STATE_HOME
    Where the files below lie; by default in the home folder, at
    .Pa .local/share ,
    .Pa .config
    and
    .Pa .local/state .
    .El
    .Sh FILES
    .Bl -tag -width Ds
    .It Pa $XDG_DATA_HOME/subtop/subtop.sqlite
    The store.
    Beside it lie
    .Pa subtop.sqlite-wal ,
    which holds commits that are not in it yet, and
    .Pa subtop.sqlite-shm :
    neither may be removed or copied apart from it.
    .Cm backup
    copies them as one file, and
    .Cm restore
    puts such a copy in their place.
    .It Pa $XDG_CONFIG_HOME/subtop/config.toml
    The configuration;
    .Nm
    .Cm config Fl -print
    prints one with every key.
    .It Pa $XDG_STATE_HOME/subtop/subtop.log
    The log.
    .It Pa $XDG_STATE_HOME/subtop/dashboard.json
    What the dashboard remembers.
    .El
    .Sh EXIT STATUS
    .Bl -tag -width 78 -compact
    .It 0
    Done.
    .It 1
    Failed.
    .It 64
    Wrong usage.
    .It 65
    Bad input data.
    .It 66
    No such input.
    .It 69
    The App Store could not be reached at all.
    .It 74
    The store could not be read or written.
    .It 75
    Some receipts are left for a later try.
    .It 77
    Not permitted.
    .It 78
    There is no shared secret, or Apple refused it.
    .El

    """
}
