/// What the figures of a panel come to that count facts, along the window and in the one before, by their paths. What a class is counted
/// in is asked once, not for each of its sums.
public struct FactCounts: Sendable {
  private let counting: PanelCounting
  private let question: Question
  private let stretches: Int
  private let breakdowns: [String: FigureBreakdown.Key]
  private var courses: [Name: Int] = [:]
  /// For each course the stretches, and after them the window before.
  private var values: [Int128Sum] = []
  /// When memberships in the Small Business Program begin and end.
  private let memberships: [Instant]

  private struct Name: Hashable {
    /// Nil is every row of a family.
    var path: String?
    var family: FactFamily?
    /// Of an amount.
    var currency: CurrencyCode?
    /// `nil` is the whole.
    var part: MovementPart?
  }

  /// What a sum adds to one course.
  private struct Part {
    var course: Int
    var unit: CountedFact.Unit
  }

  public init<L: Ledger>(_ question: Question, from ledger: L) throws(L.Failure) {
    self.question = question
    counting = PanelCounting(question.panel)
    breakdowns = Dictionary(
      FigureTable.of(question.panel).breakdowns.filter(\.isTold).flatMap { breakdown in
        breakdown.figures.map { ($0.path, breakdown.key) }
      }, uniquingKeysWith: { first, _ in first })
    memberships = question.smallBusinessProgram.instants
    stretches = question.window.stretchEnds.count
    let earlier = question.before.window
    for family in counting.families {
      var known = KnownParts()
      var start = question.window.from
      for (place, end) in question.window.stretchEnds.enumerated() {
        try add(family, after: start, through: end, at: place, from: ledger, &known)
        start = end
      }
      try add(family, after: earlier.from, through: earlier.to, at: nil, from: ledger, &known)
    }
    for family in counting.families {
      for (asked, isBefore) in [(question, false), (question.before, true)] {
        // What refunds change of what was bought is followed by no trend.
        if isBefore, family == .bought { continue }
        let ends = asked.window.stretchEnds
        // What a correction takes off and adds is sold at one commission, whichever it is.
        for correction in try ledger.corrections(family, asked.window) {
          guard question.includes(correction.kind) else { continue }
          add(
            correction.sum, to: parts(of: correction.kind, at: ends[correction.place]),
            at: isBefore ? nil : correction.place)
        }
      }
    }
  }

  /// The rows of a figure; nothing where no figure has the path.
  public subscript(path: String) -> Int { rows(of: Name(path: path)) }

  /// How many rows of a family are behind a figure, which counts no other; nil is all of them together.
  public func rows(behind figure: String?, of family: FactFamily) -> Int {
    rows(of: Name(path: figure, family: figure == nil ? family : nil))
  }

  /// The same of all families.
  public func rows(behind figure: String?) -> Int {
    figure.map { self[$0] } ?? counting.families.reduce(0) { $0 + rows(behind: nil, of: $1) }
  }

  /// - Parameter part: a product or storefront; `nil` is all of them.
  func amounts(_ path: String, of part: MovementPart? = nil) -> Amounts {
    var amounts = Amounts(in: question.reportingCurrency)
    for (name, course) in courses where name.path == path && name.part == part {
      guard let currency = name.currency else { continue }
      let sum = sum(of: course)
      guard sum.rows != 0 else { continue }
      amounts.add(sum, in: currency)
    }
    return amounts
  }

  func rows(_ path: String, of part: MovementPart) -> Int {
    courses.reduce(0) { rows, course in
      course.key.path == path && course.key.part == part ? rows + Int(sum(of: course.value).rows) : rows
    }
  }

  /// Products or storefronts that a figure counts anything of.
  func parts(_ path: String, by split: MovementSplit) -> Set<MovementPart> {
    Set(
      courses.compactMap { name, course in
        name.path == path && sum(of: course).rows != 0 ? name.part : nil
      }.filter { $0.split == split })
  }

  /// The periods that came due.
  var periods: [Period?] {
    let ends = ".due"
    return courses.filter { $0.key.path?.hasSuffix(ends) ?? false && sum(of: $0.value).rows != 0 }.map {
      let period = $0.key.path?.dropLast(ends.count).split(separator: ".").last
      return period.flatMap { Period(parsing: String($0)) }
    }
  }

  /// Adds how the figures moved, of those that are of what happened.
  func add(to trend: inout Trend) {
    for (name, course) in courses {
      guard let path = name.path, name.part == nil, counting.panel.happens(path) else { continue }
      let course = values[course * (stretches + 1)..<(course + 1) * (stretches + 1)]
      guard course.contains(where: { $0.rows != 0 }) else { continue }
      for (place, sum) in course.enumerated() {
        let value = name.currency == nil ? Int128(sum.rows) : sum.micros
        trend.add(value, to: path, name.currency, at: place < stretches ? place : nil)
        guard name.currency != nil, question.reportingCurrency != nil else { continue }
        trend.add(sum.converted.micros, to: path, at: place < stretches ? place : nil)
      }
    }
  }

  private func rows(of name: Name) -> Int {
    let all = name.path == nil ? [name] : courses.keys.filter { $0.path == name.path && $0.part == nil }
    return all.reduce(0) { rows, name in rows + Int(courses[name].map { sum(of: $0).rows } ?? 0) }
  }

  private func sum(of course: Int) -> Int128Sum {
    values[course * (stretches + 1)..<course * (stretches + 1) + stretches].reduce(into: Int128Sum(), +=)
  }

  private mutating func add<L: Ledger>(
    _ family: FactFamily, after start: Instant, through end: Instant, at place: Int?, from ledger: L,
    _ known: inout KnownParts
  ) throws(L.Failure) {
    var start = start
    for end in family == .bought ? question.smallBusinessProgram.parts(after: start, through: end) : [end] {
      let sums = try ledger.factSums(family, after: start, through: end)
      let passed = memberships.count { $0 <= end }
      for part in sums.parts {
        let counted = known.parts(of: part.place, passed) {
          guard let kind = sums.classes[part.place], question.includes(kind) else { return [] }
          return parts(of: kind, at: end)
        }
        add(part.sum, to: counted, at: place)
      }
      start = end
    }
  }

  /// What the classes of one family add to, by their places.
  private struct KnownParts {
    /// By how many memberships had begun or ended.
    private var parts: [Int: [[Part]?]] = [:]

    mutating func parts(of place: Int, _ passed: Int, _ find: () -> [Part]) -> [Part] {
      if let known = parts[passed], place < known.count, let found = known[place] { return found }
      let found = find()
      var known = parts.removeValue(forKey: passed) ?? []
      if place >= known.count { known += Array(repeating: nil, count: place + 1 - known.count) }
      known[place] = found
      parts[passed] = known
      return found
    }
  }

  /// - Parameter place: the stretch; nil for the window before.
  private mutating func add(_ sum: FactSum, to parts: [Part], at place: Int?) {
    for part in parts {
      values[part.course * (stretches + 1) + (place ?? stretches)].add(sum, as: part.unit)
    }
  }

  /// - Parameter t: an instant at which the same apps are in the Small Business Program.
  private mutating func parts(of kind: FactClass, at t: Instant) -> [Part] {
    var new: [Part] = []
    for counted in counting.counted(kind, question, at: t) {
      new.append(Part(course: course(of: Name(family: kind.family)), unit: .rows))
      for part in counted.parts {
        let isAmount = if case .rows = part.unit { false } else { true }
        var name = Name(path: part.path, currency: isAmount ? kind.currency : nil)
        new.append(Part(course: course(of: name), unit: part.unit))
        guard let slice = slice(of: kind, part.path) else { continue }
        name.part = slice
        new.append(Part(course: course(of: name), unit: part.unit))
      }
    }
    return new
  }

  /// Product or storefront that a figure is also told of.
  private func slice(of kind: FactClass, _ path: String) -> MovementPart? {
    switch breakdowns[path] {
    case .product?: .product(kind.product)
    case .storefront?: .storefront(kind.storefront)
    case nil: nil
    }
  }

  private mutating func course(of name: Name) -> Int {
    if let known = courses[name] { return known }
    let new = courses.count
    courses[name] = new
    values += Array(repeating: Int128Sum(), count: stretches + 1)
    return new
  }
}

extension SmallBusinessProgram {
  fileprivate var instants: [Instant] { memberships.values.joined().flatMap { [$0.from, $0.until] } }

  /// The ends of the parts of (start, end] in which no membership begins or ends.
  func parts(after start: Instant, through end: Instant) -> [Instant] {
    Set(instants.filter { $0 > start + 1 && $0 <= end }.map { $0 - 1 }).sorted() + [end]
  }
}
