import Screen
import Subscriptions

/// Commands by name for the prompt `:`: commands of keys, and commands with an argument.
package struct Palette {
  let state: State

  package init(state: State) { self.state = state }

  /// Maximum number of choices that are shown at once, and distance that the page keys move.
  static let page = 10

  /// Returns the command that `line` names, or else that of the first completion; throws without either.
  package func command(_ line: String) throws(CommandError) -> Command {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let name = words.first ?? ""
    let rest = words.count > 1 ? words[1].trimmingSpaces : ""
    if let verb = verbs.first(where: { $0.name == name }) { return try command(verb, rest, line) }
    // This abbreviation is familiar from other programs, such as vi.
    if name == "q" { return .quit }
    if rest.isEmpty, let command = plain.first(where: { $0.line == name })?.command { return command }
    let named = Choice.known(line, products: state.products, isExact: true).first?.command
    if let named { return named }
    guard let first = completions(of: line).first else {
      // The command may exist on other screens.
      if name == "storefront", let why = state.panel?.whyNoStorefronts { throw CommandError(why) }
      let refusal = state.keys.refusal(of: name, in: state.context, readOnly: state.isReadOnly) {
        $0.name == name
      }
      throw CommandError(refusal ?? "there is no command \(line.withoutSecrets)")
    }
    if let command = first.command { return command }
    let argument = verbs.first { "\($0.name) " == first.line }?.argument ?? "a word"
    throw CommandError("\(first.line.trimmingSpaces) needs \(argument)")
  }

  private func command(_ verb: Verb, _ rest: String, _ line: String) throws(CommandError) -> Command {
    if let command = verb.read(rest) { return command }
    // A number is never completed, because a longer number would be a different value.
    if rest.contains(where: \.isLetter),
      let command = completions(of: line).lazy.compactMap(\.command).first
    {
      return command
    }
    guard !rest.isEmpty, let sentence = verb.refusal(rest.withoutSecrets) else {
      throw CommandError("\(verb.name) needs \(verb.argument)")
    }
    throw CommandError(sentence)
  }

  /// Returns arguments after a space, else names that begin with or contain the line, figures and products.
  package func completions(of line: String) -> [Choice] {
    if let space = line.firstIndex(of: " ") {
      guard let verb = verbs.first(where: { $0.name == line[..<space] }) else { return [] }
      let typed = String(line[line.index(after: space)...]).lowercased()
      if verb.name == "figure" {
        let named = Choice.onTheScreen.compactMap(typedOut).filter {
          $0.line.lowercased().hasPrefix(line.lowercased())
        }
        return named.isEmpty ? Choice.known(typed, products: ProductNames()).compactMap(typedOut) : named
      }
      return verb.choices.filter { typed.isEmpty || $0.lowercased().contains(typed) }.map { choice in
        Choice(line: "\(verb.name) \(choice)", what: verb.title, command: verb.read(choice))
      }
    }
    let all =
      plain
      + verbs.map { verb in
        Choice(line: "\(verb.name) ", what: "\(verb.title): \(verb.argument)", command: verb.read(""))
      }
    let typed = line.lowercased()
    let starting = all.filter { $0.line.hasPrefix(typed) }
    return starting + all.filter { !$0.line.hasPrefix(typed) && $0.line.contains(typed) }
      + Choice.known(line, products: state.products).compactMap(typedOut).prefix(20)
  }

  /// Returns a choice of a figure or product with the command line that opens it; `nil` for other choices.
  private func typedOut(_ choice: Choice) -> Choice? {
    switch choice.command {
    case .figure(let panel, _)?:
      Choice(line: "figure \(panel.title): \(choice.line)", what: choice.what, command: choice.command)
    case .product(let id?)?: Choice(line: "product \(id)", what: choice.what, command: choice.command)
    default: nil
    }
  }

  private var plain: [Choice] {
    let taken = Set(verbs.map(\.name))
    return state.keys.bindings(readOnly: state.isReadOnly).filter { binding in
      binding.contexts.contains(state.context) && binding.command != .palette && !taken.contains(binding.name)
    }.map { binding in
      Choice(
        line: binding.name, what: binding.title, command: binding.command,
        keys: binding.keys.map(\.name).joined(separator: " "))
    }
  }
}

extension Palette {
  private struct Verb {
    let name: String
    let argument: String
    let title: String
    let choices: [String]
    /// Returns a message for an invalid argument; `nil` for the standard message, which names `argument`.
    let refusal: (String) -> String?
    /// Returns the command for an argument; `nil` if the argument is invalid.
    let read: (String) -> Command?

    init(
      _ name: String, _ argument: String, _ title: String, _ choices: [String] = [],
      refusal: @escaping (String) -> String? = { _ in nil }, read: @escaping (String) -> Command?
    ) {
      (self.name, self.argument, self.title, self.choices) = (name, argument, title, choices)
      (self.refusal, self.read) = (refusal, read)
    }
  }

  private var verbs: [Verb] { ofFigures + ofPanel + ofDisplay + (state.page?.wholeListing.map(ofList) ?? []) }

  private var ofFigures: [Verb] {
    let known = state.products.known
    let names = known.prefix(12).map(state.products.name).joined(separator: ", ")
    let more = known.count > 12 ? ", \(CountText.of(known.count - 12)) more" : ""
    return [
      Verb(
        "figure", "the name of a figure", "the rows of a figure",
        refusal: { text in Self.figure(text).map { "\($0.panel.title) has no figure \($0.path)" } }
      ) { text in
        guard let (panel, path) = Self.figure(text),
          FigurePath(path, of: panel) != nil || panel.figure(path) != nil
        else { return nil }
        return .figure(panel, path)
      },
      Verb("find", "an id", "finds subscriptions by any id") { $0.isEmpty ? .find : .findID($0) },
      Verb(
        "window", "a number of days, all, month, last-month or 2026-09", "window of changes",
        (State.windows + [.current(.quarter), .last(.quarter), .current(.year), .last(.year)]).map(\.text),
        refusal: { word in
          guard WindowChoice(parsing: word) == nil else { return "\(word) has not begun" }
          let most = CountText.of(WindowChoice.days.upperBound)
          return
            "\"\(word)\" is not a window; type 1 to \(most) days, all, month, last-month, 2026-09, 2026-Q3 or 2026"
        }
      ) { word in
        WindowChoice(parsing: word).flatMap {
          $0.hasBegun(at: state.asOf, in: state.zone) ? .window($0) : nil
        }
      },
      Verb(
        "environment", "production, sandbox or all", "environment", EnvironmentScope.allCases.map(\.rawValue)
      ) { EnvironmentScope(rawValue: $0).map(Command.environment) },
      Verb(
        "product", "a product id, or all", "only one product", ["all"] + known.map(\.rawValue),
        refusal: { "there is no product \($0); known products: \(names)\(more)" }
      ) { word in
        if word == "all" { return .product(nil) }
        return known.isEmpty || known.contains(ProductID(word)) ? .product(ProductID(word)) : nil
      },
    ]
  }

  private static func figure(_ text: String) -> (panel: Panel, path: String)? {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 2, let panel = Panel(rawValue: words[0]) else { return nil }
    return (panel, words[1])
  }

  private var ofPanel: [Verb] {
    let storefront = Verb(
      "storefront", "a storefront, or all", "only one storefront",
      ["all"] + state.choices.storefronts.map(\.text)
    ) { $0 == "all" ? .storefront(.all) : StorefrontScope(parsing: $0).map(Command.storefront) }
    let offer = Verb(
      "offer", "an offer as code:NAME, or all", "only cohorts of one offer",
      ["all"] + state.choices.offers.map(\.text)
    ) { $0 == "all" ? .offer(.all) : OfferScope(parsing: $0).map(Command.offer) }
    let isCompared = state.panel != nil && (state.layers.isEmpty || state.context == .compared)
    let compare = Verb(
      "compare",
      "before, year, product:ID, storefront:CODE, offer:NAME, cohort:MONTH, environment:NAME, "
        + "or empty for a list",
      "compares with another window, product and more", isCompared ? state.comparisons.map(\.text) : []
    ) { $0.isEmpty ? .compare : Comparison(parsing: $0).map(Command.compareWith) }
    return (state.panel?.hasStorefronts == true ? [storefront] : [])
      + (state.panel == .cohorts ? [offer] : []) + (isCompared ? [compare] : [])
  }

  private var ofDisplay: [Verb] {
    let (themes, zones) = (state.themes, state.zones.map(\.name))
    let theme = Verb("theme", "one of \(themes.joined(separator: ", "))", "theme", themes) {
      themes.contains($0) ? .theme($0) : nil
    }
    let zone = Verb("zone", "one of \(zones.joined(separator: ", "))", "time zone", zones) {
      zones.contains($0) ? .zone($0) : nil
    }
    return themes.isEmpty ? [zone] : [theme, zone]
  }

  private func ofList(_ listing: Listing) -> [Verb] {
    let (fields, hidden) = (listing.fields, state.arrangement.hidden)
    let optional = fields.dropFirst()
    return [
      Verb(
        "filter", "terms such as \(fields.first ?? "name"):word; empty for all rows", "filters the list",
        fields.map { "\($0):" }
      ) { .filterBy($0) },
      Verb(
        "sort", "a column, optionally desc; empty for the original order", "sorts the list",
        fields.flatMap { [$0, "\($0) desc"] }
      ) { text in
        let words = text.split(separator: " ")
        guard words.count < 3, words.count < 2 || ["desc", "asc"].contains(words[1]) else { return nil }
        return .sortBy(words.first.map(String.init) ?? "", isDescending: words.last == "desc")
      },
      Verb(
        "hide", "a column", "hides a column", optional.filter { !hidden.contains($0) },
        refusal: { name in
          name == fields.first
            ? "\(name) cannot be hidden: it identifies the rows"
            : "there is no column \(name) to hide; columns: \(optional.joined(separator: ", "))"
        }
      ) { optional.contains($0) ? .hide($0) : nil },
      Verb(
        "unhide", "a column, or all", "shows a column again", hidden.isEmpty ? [] : ["all"] + hidden.sorted(),
        refusal: {
          hidden.isEmpty
            ? "no column is hidden"
            : "\($0) is not hidden; hidden columns: \(hidden.sorted().joined(separator: ", "))"
        }
      ) { $0 == "all" || $0.isEmpty ? .unhide(nil) : hidden.contains($0) ? .unhide($0) : nil },
      Verb("export", "a file, .csv or .json, optionally --meta", "exports the data of the list") {
        $0.isEmpty ? .export : .exportTo($0)
      },
    ]
  }
}
