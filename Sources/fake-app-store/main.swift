print("fake-app-store")
