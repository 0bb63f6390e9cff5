import ArgumentParser
import Dashboard
import Intake
import ReceiptStore
import Screen
import Subscriptions
import Sweep
import Terminal

enum HelpValues {
  static func value(_ name: String, of program: any ParsableCommand.Type) throws -> String {
    switch name {
    case "alert figures": AlertFigure.aliases.map { "\($0.name):: \($0.words)" }.joined(separator: "\n")
    case "alert paths":
      Panel.allCases.map { ($0.rawValue, AlertFigure.paths(of: $0)) }.filter { !$1.isEmpty }
        .map { "\($0): \($1.joined(separator: ", "))" }.joined(separator: "\n\n")
    case "catalog header": CatalogFile.header.joined(separator: ",")
    case "commands": commands(of: program)
    case "configuration":
      ConfigurationText.standard.split(separator: "\n", omittingEmptySubsequences: false)
        .map { "    \($0)" }.joined(separator: "\n")
    case "figures of panels":
      Panel.allCases.filter { !$0.figureNames.isEmpty }.map { panel in
        "## \(panel.rawValue)\n\n\(panel.meanings.map(\.withWords).joined(separator: ", "))"
      }.joined(separator: "\n\n")
    case "keys": keys
    case "roles": Theme.ownRoles.map(\.name).joined(separator: ", ")
    case "themes": Theme.all.map(\.name).joined(separator: ", ")
    case "views":
      try ReceiptStore.documentedViews().map { view in
        "## \(view.name)\n\nA row is \(view.meaning).\n\n\(view.columns.joined(separator: ", "))"
      }.joined(separator: "\n\n")
    default: standard(name)
    }
  }

  private static func standard(_ name: String) -> String {
    let (due, options, giveUp) = (DuePolicy.standard, SweepOptions(), GiveUpPolicy.standard)
    let spans = [
      "trial": due.trial, "billing retry": due.billingRetry, "grace": due.grace, "active": due.active,
      "overdue": due.overdue, "lapsed": due.lapsed, "long lapsed after": due.longLapsedAfter,
      "long lapsed": due.longLapsed, "important every": due.important.every,
      "important within": due.important.within, "lease": options.lease,
      "believe after": giveUp.verdictSpan, "dead after": giveUp.span,
    ]
    let numbers = [
      "alert days": AlertCondition.standardDays, "concurrency": options.concurrency, "tries": options.tries,
      "server api rate": Int(options.serverAPIRate ?? 0), "malformed tries": giveUp.malformedTries,
      "dead tries": giveUp.tries,
    ]
    let (before, after) = (due.aroundExpiry.filter { $0 < 0 }.map(-), due.aroundExpiry.filter { $0 >= 0 })
    switch name {
    case "before expiry": return before.map(DurationText.of).joined(separator: ", ")
    case "after expiry": return after.map(DurationText.of).joined(separator: ", ")
    default: return spans[name].map(DurationText.of) ?? numbers[name].map { String($0) } ?? "{{\(name)}}"
    }
  }

  private static func commands(of program: any ParsableCommand.Type) -> String {
    program.configuration.subcommands.filter { $0.configuration.shouldDisplay }.map { command in
      let lines = program.helpMessage(for: command, columns: 78)
        .split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("  --version ") && !$0.hasPrefix("  -h, --help ") }
      let paragraphs = lines.split(whereSeparator: \.isEmpty).map { paragraph in
        let isText = paragraph.allSatisfy { !$0.hasPrefix(" ") }
        return paragraph.map { isText ? String($0.trimmingPrefix("OVERVIEW: ")) : "    \($0)" }
      }
      return "## \(command.configuration.commandName ?? "")\n\n"
        + paragraphs.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }.joined(separator: "\n\n")
  }

  private static var keys: String {
    Binding.Section.allCases.map { section in
      let bindings = KeyMap.standard.bindings.filter { $0.section == section }
      let terms = bindings.map { "\($0.keys.map(\.name).joined(separator: " ")):: \($0.title)" }
      return terms.isEmpty ? "" : "## \(section.rawValue)\n\n\(terms.joined(separator: "\n"))\n\n"
    }.joined()
  }
}

extension FigureMeaning {
  /// Name of the figure with its description and note: `overdue (unverified)`.
  fileprivate var withWords: String {
    // Acronyms such as MRR keep their capitals.
    let isAcronym = words.dropFirst().first?.isUppercase ?? false
    let name = isAcronym ? words : words.prefix(1).lowercased() + words.dropFirst()
    return "\(term) (\(name))\(note.map { " [\($0)]" } ?? "")"
  }
}
