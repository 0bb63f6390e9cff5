import Sweep
import Testing

@Suite struct ByteBudgetTests {
  @Test func oneHolderMayGoOverTheBudgetAndTheOthersWaitForIt() {
    let budget = ByteBudget(100)
    var first: HeldBytes? = HeldBytes(of: budget)
    let (second, third) = (HeldBytes(of: budget), HeldBytes(of: budget))
    #expect(first?.grow(to: 60) == true && second.grow(to: 40))
    #expect(budget.isExhausted)
    #expect(first?.grow(to: 500) == true, "lest all wait for each other")
    #expect(!second.grow(to: 41) && !third.grow(to: 1))
    #expect(budget.used == 540)
    first?.shrink(to: 450)
    #expect(!second.grow(to: 41), "until the first is gone, it alone is over the budget")
    first = nil
    #expect(budget.used == 40 && !budget.isExhausted)
    #expect(second.grow(to: 41) && third.grow(to: 59))
    #expect(third.grow(to: 60) && !second.grow(to: 42))
  }
}
