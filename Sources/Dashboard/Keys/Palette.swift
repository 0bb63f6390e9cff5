import Screen
import Subscriptions

/// Commands by name, for the line that `:` opens: commands of keys, and commands with an argument.
package struct Palette {
  let state: State

  package init(state: State) { self.state = state }

  /// Entries shown at once, and rows of a page.
  static let page = 10

  /// Completion of the typed line.
  package struct Entry: Hashable, Sendable {
    package let line: String
    let title: String
    package let command: Command?
    let keys: [Key]
  }

  /// Reason why a line is not a command.
  package enum Problem: Error, Hashable {
    case unknown(String)
    /// The command does not work here, or not with this argument.
    case refused(String)
    case wants(String, String)

    package var sentence: String {
      switch self {
      case .unknown(let name): "there is no command \(name.withoutSecrets)"
      case .refused(let sentence): sentence
      case .wants(let name, let what): "\(name) wants \(what)"
      }
    }
  }

  /// Returns the command of a line: an exact match, or else the first completion.
  package func command(_ line: String) throws(Problem) -> Command {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let name = words.first ?? ""
    let rest = words.count > 1 ? words[1].trimmingSpaces : ""
    if let verb = verbs.first(where: { $0.name == name }) {
      if let command = verb.read(rest) { return command }
      // A number is never completed to a longer one.
      if rest.contains(where: \.isLetter),
        let command = completions(of: line).lazy.compactMap(\.command).first
      {
        return command
      }
      guard !rest.isEmpty, let sentence = verb.refusal(rest.withoutSecrets) else {
        throw .wants(name, verb.argument)
      }
      throw .refused(sentence)
    }
    // Familiar from other programs, such as vi.
    if name == "q" { return .quit }
    if rest.isEmpty, let plain = plain.first(where: { $0.line == name }), let command = plain.command {
      return command
    }
    if let named = Suggestions.Entry.known(line, products: state.products, isExact: true).first?.entry,
      let command = entry(named)?.command
    {
      return command
    }
    guard let first = completions(of: line).first else {
      // The command may exist on other panels.
      if name == "storefront", let why = state.panel?.whyNoStorefronts {
        throw .refused(why)
      }
      throw state.keys.refusal(ofCommand: name, in: state.context, readOnly: state.isReadOnly)
        .map(Problem.refused) ?? .unknown(line)
    }
    if let command = first.command { return command }
    let verb = verbs.first { "\($0.name) " == first.line }
    throw .wants(verb?.name ?? first.line.trimmingSpaces, verb?.argument ?? "a word")
  }

  /// Returns completions: names that begin with the line, names that contain it, then figures and products.
  package func completions(of line: String) -> [Entry] {
    if let space = line.firstIndex(of: " ") {
      guard let verb = verbs.first(where: { $0.name == line[..<space] }) else { return [] }
      let typed = String(line[line.index(after: space)...]).lowercased()
      return verb.choices.filter { typed.isEmpty || $0.lowercased().contains(typed) }.map { choice in
        Entry(
          line: "\(verb.name) \(choice)", title: verb.title, command: verb.read(choice), keys: [])
      }
    }
    let all =
      plain
      + verbs.map { verb in
        Entry(
          line: "\(verb.name) ", title: "\(verb.title): \(verb.argument)", command: verb.read(""), keys: [])
      }
    let typed = line.lowercased()
    let starting = all.filter { $0.line.hasPrefix(typed) }
    let known = Suggestions.Entry.known(line, products: state.products).prefix(20).compactMap {
      entry($0.entry)
    }
    return starting + all.filter { !$0.line.hasPrefix(typed) && $0.line.contains(typed) } + known
  }

  private func entry(_ entry: Suggestions.Entry) -> Entry? {
    let words = entry.words(in: state.formatter)
    switch entry {
    case .id: return nil
    case .product(let id):
      return Entry(line: "product \(id)", title: words.what, command: .product(id), keys: [])
    case .figure(let panel, let path):
      return Entry(
        line: "figure \(panel.rawValue) \(path)", title: "\(words.text), \(words.what)",
        command: .figure(panel, path), keys: [])
    }
  }

  private var plain: [Entry] {
    let taken = Set(verbs.map(\.name))
    return state.keys.bindings(readOnly: state.isReadOnly).compactMap { binding in
      guard binding.contexts.contains(state.context), binding.command != .palette,
        !taken.contains(binding.command.name)
      else { return nil }
      return Entry(
        line: binding.command.name, title: binding.title, command: binding.command, keys: binding.keys)
    }
  }
}

extension Palette {
  struct Verb: Sendable {
    let name: String
    let argument: String
    let title: String
    var choices: [String] = []
    /// Message for an invalid argument; `nil` if `argument` is enough.
    var refusal: @Sendable (String) -> String? = { _ in nil }
    /// Returns the command for an argument; `nil` if the argument is invalid.
    let read: @Sendable (String) -> Command?
  }

  /// Days in about a hundred years.
  static let longestWindow = 36_500

  private static func few<ID>(_ ids: [ID], _ name: (ID) -> String) -> String {
    let shown = ids.prefix(12).map(name)
    let more = ids.count > shown.count ? ["\(CountText.of(ids.count - shown.count)) more"] : []
    return (shown + more).joined(separator: ", ")
  }

  private var verbs: [Verb] {
    let listing = state.page?.wholeListing
    let fields = listing?.fields ?? []
    let hidden = state.arrangement.hidden
    let names = Self.few(state.products.known, state.products.name)
    var verbs = [
      Verb(
        name: "figure", argument: "a panel and a figure", title: "the rows of a figure",
        choices: Tab.panels.flatMap { panel in panel.figures.map { "\(panel.rawValue) \($0.path)" } },
        refusal: { text in
          let words = text.split(separator: " ").map(String.init)
          guard words.count == 2, let panel = Panel(rawValue: words[0]) else { return nil }
          return "\(panel.title) has no figure \(words[1])"
        }
      ) { text in
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 2, let panel = Panel(rawValue: words[0]),
          FigurePath(words[1], of: panel) != nil || panel.figure(words[1]) != nil
        else { return nil }
        return .figure(panel, words[1])
      },
      Verb(name: "find", argument: "an id", title: "finds subscriptions by any id") {
        $0.isEmpty ? .find : .findID($0)
      },
      Verb(
        name: "window", argument: "a number of days, or all", title: "window of so many days",
        choices: State.windows.map { "\($0)" } + ["all"],
        refusal: { "\($0) is no number of days from 1 to \(CountText.of(Self.longestWindow))" }
      ) { word in
        if word == "all" { return .window(days: nil) }
        let digits = word.hasSuffix("d") ? String(word.dropLast()) : word
        return Int(digits).flatMap { (1...Self.longestWindow).contains($0) ? .window(days: $0) : nil }
      },
      Verb(
        name: "environment", argument: "production, sandbox or all", title: "environment",
        choices: EnvironmentScope.allCases.map(\.rawValue)
      ) { EnvironmentScope(rawValue: $0).map(Command.environment) },
      Verb(
        name: "product", argument: "a product id, or all", title: "one product alone",
        choices: ["all"] + state.products.known.map(\.rawValue),
        refusal: { "no product \($0) is known; known are \(names)" }
      ) { word in
        if word == "all" { return .product(nil) }
        let known = state.products.known
        return known.isEmpty || known.contains(ProductID(word)) ? .product(ProductID(word)) : nil
      },
    ]
    if let panel = state.panel, panel.tellsStorefronts {
      let storefronts = state.choices.storefronts
      verbs.append(
        Verb(
          name: "storefront", argument: "a storefront, or all", title: "one storefront alone",
          choices: ["all"] + storefronts.map(\.text)
        ) { word in word == "all" ? .storefront(.all) : StorefrontScope(parsing: word).map(Command.storefront)
        })
    }
    if state.panel == .cohorts {
      let offers = state.choices.offers
      verbs.append(
        Verb(
          name: "offer", argument: "an offer as code:NAME, or all", title: "cohorts of one offer alone",
          choices: ["all"] + offers.map(\.text)
        ) { word in word == "all" ? .offer(.all) : OfferScope(parsing: word).map(Command.offer) })
    }
    if state.panel != nil, state.layers.isEmpty || state.context == .compared {
      let comparisons = state.comparisons
      verbs.append(
        Verb(
          name: "compare",
          argument:
            "before, year, product:ID, storefront:CODE, offer:NAME, cohort:MONTH or environment:NAME, or nothing",
          title: "sets the panel beside another", choices: comparisons.map(\.text)
        ) { $0.isEmpty ? .compare : Comparison(parsing: $0).map(Command.compareWith) })
    }
    if !state.themes.isEmpty {
      let themes = state.themes
      verbs.append(
        Verb(
          name: "theme", argument: "one of \(themes.joined(separator: ", "))", title: "theme", choices: themes
        ) {
          themes.contains($0) ? .theme($0) : nil
        })
    }
    let zones = state.zones.map(\.name)
    verbs.append(
      Verb(
        name: "zone", argument: "one of \(zones.joined(separator: ", "))", title: "time zone", choices: zones
      ) {
        zones.contains($0) ? .zone($0) : nil
      })
    guard listing != nil else { return verbs }
    verbs += [
      Verb(
        name: "filter", argument: "terms such as \(fields.first ?? "name"):word, or nothing",
        title: "filters the list", choices: fields.map { "\($0):" }
      ) { .filterBy($0) },
      Verb(
        name: "sort", argument: "a column and perhaps desc, or nothing", title: "sorts the list",
        choices: fields.flatMap { [$0, "\($0) desc"] }
      ) { text in
        let words = text.split(separator: " ")
        guard words.count < 3, words.count < 2 || ["desc", "asc"].contains(words[1]) else { return nil }
        return .sortBy(words.first.map(String.init) ?? "", isDescending: words.last == "desc")
      },
      Verb(
        name: "hide", argument: "a column", title: "leaves a column out",
        choices: fields.dropFirst().filter { !hidden.contains($0) },
        refusal: { name in
          name == fields.first
            ? "\(name) stays, since it says what a row is about"
            : "no column \(name) can be hidden; these can: \(fields.dropFirst().joined(separator: ", "))"
        }
      ) { fields.dropFirst().contains($0) ? .hide($0) : nil },
      Verb(
        name: "unhide", argument: "a column, or all", title: "brings a column back",
        choices: hidden.isEmpty ? [] : ["all"] + hidden.sorted(),
        refusal: {
          hidden.isEmpty
            ? "no column is hidden"
            : "\($0) is not hidden; hidden are \(hidden.sorted().joined(separator: ", "))"
        }
      ) { $0 == "all" || $0.isEmpty ? .unhide(nil) : hidden.contains($0) ? .unhide($0) : nil },
      Verb(name: "export", argument: "a file, .csv or .json", title: "writes the list as it shows") {
        $0.isEmpty ? .export : .exportTo($0)
      },
    ]
    return verbs
  }
}
