/// Row of panel names, which stay in place when another panel is selected, so that mouse targets do not move.
public struct TabBar: Sendable {
  /// Name of a panel, with its key.
  public struct Tab: Hashable, Sendable {
    public var key: String
    public var title: String
    public var shortTitle: String

    public init(key: String, title: String, shortTitle: String) {
      (self.key, self.title, self.shortTitle) = (key, title, shortTitle)
    }
  }

  public var tabs: [Tab]
  public var selected: Int

  public init(_ tabs: [Tab], selected: Int) {
    (self.tabs, self.selected) = (tabs, selected)
  }

  private enum Fit: CaseIterable {
    case whole
    /// Titles directly after their keys.
    case close
    /// Short titles directly after their keys.
    case short
    /// Keys only, followed by the title of the current panel.
    case keys
  }

  /// Draws ` 1 Overview 2 Movement … `, or in a narrow area a shorter form (`Fit`) such as ` 1Over 2Move … `.
  public func draw(on canvas: inout Canvas, in rect: Rect) {
    let fit = fit(rect.columns, in: canvas.glyphs)
    canvas.within(rect) { canvas in
      var (column, selection) = (0, Rect?.none)
      for index in tabs.indices {
        let text = text(index, fit)
        canvas.put(text, column: column, row: 0)
        let columns = text.width(in: canvas.glyphs)
        // Includes the blank after the tab, which is drawn with the next tab.
        if index == selected { selection = Rect(column: column, row: 0, columns: columns + 1, rows: 1) }
        column += columns
      }
      if let selection { canvas.restyle(selection) { _ in .selection } }
      if fit == .keys, tabs.indices.contains(selected) {
        canvas.put(" \(tabs[selected].title)", column: column + 1, row: 0, .strong)
      }
    }
  }

  public func tab(at place: Point, in rect: Rect, glyphs: GlyphSet = .unicode) -> Int? {
    guard rect.contains(place), place.row == rect.row else { return nil }
    let fit = fit(rect.columns, in: glyphs)
    var at = rect.column
    for index in tabs.indices {
      at += text(index, fit).width(in: glyphs)
      if place.column < at { return index }
    }
    return nil
  }

  private func fit(_ columns: Int, in glyphs: GlyphSet) -> Fit {
    Fit.allCases.first { fit in
      tabs.indices.reduce(1) { $0 + text($1, fit).width(in: glyphs) } <= columns
    } ?? .keys
  }

  private func text(_ index: Int, _ fit: Fit) -> StyledText {
    let tab = tabs[index]
    return switch fit {
    case .whole: [TextSpan(" \(tab.key)", .key), TextSpan(" \(tab.title)", .dim)]
    case .close: Self.close(tab.key, tab.title)
    case .short: Self.close(tab.key, tab.shortTitle)
    case .keys: StyledText(" \(tab.key)", .key)
    }
  }

  private static func close(_ key: String, _ title: String) -> StyledText {
    [
      TextSpan(" \(key)", .key),
      TextSpan(title.hasPrefix(key) ? String(title.dropFirst(key.count)) : title, .dim),
    ]
  }
}
