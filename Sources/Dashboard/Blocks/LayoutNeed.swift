/// What blocks beside each other get room for, the most important first.
enum LayoutNeed: CaseIterable {
  /// Courses are pictures: how figures moved, and bars of lists.
  case numbers, names, changes, courses
}
