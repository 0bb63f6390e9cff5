print("subtop")
