import ArgumentParser
import FoundationEssentials

/// A command that is about all commands, and so is told what they are below.
protocol ProgramCommand: ParsableCommand {
  func run(under root: any ParsableCommand.Type) throws
}

/// What ArgumentParser tells of the program's commands, as far as it is wanted here.
struct ProgramDescription {
  private struct Dump: Decodable {
    let command: Command
  }

  struct Command: Decodable {
    let commandName: String
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool
    let subcommands: [Command]?
    let arguments: [ArgumentInfo]?

    /// What belongs to every command is left out.
    var ownArguments: [ArgumentInfo] {
      (arguments ?? []).filter {
        $0.shouldDisplay && !["help", "version"].contains($0.names?.last?.name)
      }
    }
  }

  struct ArgumentInfo: Decodable {
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
    let defaultValue: String?

    var isPositional: Bool { kind == "positional" }

    /// `--limit <limit>`, `<file> ...`
    var usage: String {
      let value = kind == "flag" ? "" : "<\(valueName ?? "value")>"
      guard !isPositional else { return value + (isRepeating ? " ..." : "") }
      let dashed = (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
      return ([dashed.joined(separator: ", ")] + (value.isEmpty ? [] : [value])).joined(separator: " ")
    }

    var meaning: String {
      guard let defaultValue, !defaultValue.isEmpty, kind != "flag" else { return abstract ?? "" }
      return "\(abstract ?? "") (default: \(defaultValue))"
    }
  }

  private let program: Command

  /// - Parameter root: the command that all others are below.
  init(of root: any ParsableCommand.Type) throws {
    program = try JSONDecoder().decode(Dump.self, from: Data(root._dumpHelp().utf8)).command
  }

  var abstract: String { program.abstract ?? "" }
  var discussion: String { program.discussion ?? "" }

  /// Those that a person calls.
  var commands: [Command] {
    (program.subcommands ?? []).filter { $0.shouldDisplay && $0.commandName != "help" }
  }
}
