import Screen

extension Theme {
  /// What a theme of somebody's own may give a colour to. A selection is reverse video, and a heat map's shades are one scale: both stay
  /// the base's.
  public static let ownRoles: [(name: String, role: Role)] = [
    ("text", .text), ("dim", .dim), ("heading", .heading), ("accent", .accent), ("good", .good),
    ("warn", .warn), ("bad", .bad), ("info", .info), ("border", .border), ("key", .key), ("money", .money),
    ("track", .track),
  ]

  /// The same under another name, with other colours.
  ///
  /// - Parameter colours: nil is the terminal's own foreground. What is bold, faint or underlined stays so, but nothing is faint that
  ///   has a colour.
  public func named(_ name: String, with colours: [Role: Colour?]) -> Theme {
    let roles = Role.allCases.map { role -> (Role, Look) in
      var look = self[role]
      if let colour = colours[role] {
        look.foreground = colour
        if colour != nil { look.isDim = false }
      }
      return (role, look)
    }
    return Theme(name: name, looks: Dictionary(uniqueKeysWithValues: roles))
  }
}
