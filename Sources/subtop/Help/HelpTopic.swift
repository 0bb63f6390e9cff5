import ArgumentParser

/// Page of `subtop help TOPIC` and section of the manual page, from the file `Topics/NAME.md`.
struct HelpTopic: Sendable {
  let name: String
  let title: String
  /// Markdown with placeholders of `HelpValues`.
  private let text: String

  static let all = [
    HelpTopic("commands", PackageResources.commands_md),
    HelpTopic("keys", PackageResources.keys_md),
    HelpTopic("lists", PackageResources.lists_md),
    HelpTopic("terminal", PackageResources.terminal_md),
    HelpTopic("figures", PackageResources.figures_md),
    HelpTopic("windows", PackageResources.windows_md),
    HelpTopic("compare", PackageResources.compare_md),
    HelpTopic("reconcile", PackageResources.reconcile_md),
    HelpTopic("alerts", PackageResources.alerts_md),
    HelpTopic("formats", PackageResources.formats_md),
    HelpTopic("revenuecat", PackageResources.revenuecat_md),
    HelpTopic("adapty", PackageResources.adapty_md),
    HelpTopic("qonversion", PackageResources.qonversion_md),
    HelpTopic("limits", PackageResources.limits_md),
    HelpTopic("secrets", PackageResources.secrets_md),
    HelpTopic("configuration", PackageResources.configuration_md),
    HelpTopic("sweeping", PackageResources.sweeping_md),
    HelpTopic("operating", PackageResources.operating_md),
    HelpTopic("store", PackageResources.store_md),
    HelpTopic("team", PackageResources.team_md),
    HelpTopic("views", PackageResources.views_md),
    HelpTopic("environment", PackageResources.environment_md),
    HelpTopic("files", PackageResources.files_md),
    HelpTopic("exit-status", PackageResources.exit_status_md),
  ]

  private init(_ name: String, _ file: [UInt8]) {
    self.name = name
    let whole = String(decoding: file, as: UTF8.self)
    let heading = whole.prefix { $0 != "\n" }
    title = String(heading.dropFirst(2))
    text = String(whole.dropFirst(heading.count))
  }

  func markdown(of program: any ParsableCommand.Type) throws -> Markdown {
    let pieces = text.split(separator: "{{", omittingEmptySubsequences: false)
    let values = try pieces.dropFirst().map { piece in
      guard let end = piece.firstRange(of: "}}") else { return "{{\(piece)" }
      return try HelpValues.value(String(piece[..<end.lowerBound]), of: program) + piece[end.upperBound...]
    }
    return Markdown((pieces.prefix(1).map { String($0) } + values).joined())
  }

  func text(of program: any ParsableCommand.Type, columns: Int) throws -> String {
    "\(title)\n\n" + (try markdown(of: program)).plain(columns: columns)
  }
}

extension [HelpTopic] {
  func list(columns: Int) -> String {
    let terms = Markdown(map { "\($0.name):: \($0.title)" }.joined(separator: "\n"))
    return "TOPICS:\n" + terms.plain(columns: columns)
      + "\n  See 'subtop help <topic>', or 'man subtop' for all of them.\n"
  }
}

protocol ProgramCommand: ParsableCommand {
  func run(under root: any ParsableCommand.Type) throws
}

/// Manual page in mdoc(7), with a section for each help topic.
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
      // Section names of manual pages have no hyphens.
      page += ".Sh \(topic.name.uppercased().replacing("-", with: " "))\n"
      page += Markdown(topic.title + ".").mdoc + (try topic.markdown(of: program)).mdoc
    }
  }
}
