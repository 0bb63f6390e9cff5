import Dashboard
import Screen

extension HelpTopic {
  static let keys = HelpTopic("keys", "Every key of the dashboard") {
    let sections = Binding.Section.allCases.flatMap { section -> [HelpBlock] in
      let terms = KeyMap.standard.bindings.filter { $0.section == section }.map { binding in
        HelpBlock.Term(binding.keys.map(\.name).joined(separator: " "), binding.title)
      }
      return terms.isEmpty ? [] : [.heading(section.rawValue), .terms(terms)]
    }
    return sections
      + HelpBlock.text(
        """
        In time: `w` chooses how many days figures look back, `=` sets them beside an earlier window, and `subtop --at` opens the dashboard as
        of an earlier moment. `[` and `]` go back and forth among the screens that were shown, not in time.

        `?` shows the keys in the dashboard, where they can be searched and run. ^S is Ctrl with S, S-Tab is Shift with Tab.
        Other keys are set in the table [keys] of the configuration, by the name of the command: `subtop help configuration`. Programs of your own
        get a key in its table [commands]. One that still runs when the dashboard quits is ended (SIGTERM, and SIGKILL two seconds later), and
        subtop says so.
        """)
  }
}
