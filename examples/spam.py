"""A spam filter from rules of thumb: trained, read, asked why, and corrected."""

from weaklearn import SpamFilter, datasets

texts, labels = datasets.messages()
held = range(0, len(texts), 5)  # every fifth message is kept aside
seen = [i for i in range(len(texts)) if i % 5]

model = SpamFilter(n_estimators=60)
model.fit([texts[i] for i in seen], [labels[i] for i in seen])

print("the ten strongest rules:")
print(model.rules(10))

right = model.score([texts[i] for i in held], [labels[i] for i in held])
print(f"\nright about {right:.0%} of {len(held)} messages that it has not seen\n")

message = "Claim your free prize now, only today!"
print(f"{message!r} is spam because")
print(model.explain(message))

# A user disagrees, again and again, until the filter gives in.
club = "Our club gives a free prize to every member: claim it now at the desk"
print(f"\n{club!r}: {model.predict([club])[0]}")
while model.predict([club])[0] == "spam":
    model.update(club, "ham")
print(f"after {model.n_updates_} corrections: {model.predict([club])[0]}")
print(f"{message!r}: still {model.predict([message])[0]}")
