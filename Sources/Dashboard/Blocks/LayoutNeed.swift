/// What blocks beside each other get room for, the most important first.
enum LayoutNeed: CaseIterable {
  case numbers, names, changes, courses
}
