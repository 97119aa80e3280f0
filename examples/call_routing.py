"""Call routing: few recorded calls, rules written by hand, and calls left to people."""

from weaklearn import CallRouter

CALLS = {
    "billing": [
        "I have a question about my bill",
        "you charged me twice last month",
        "my bill is too high",
        "why is there a fee on my bill",
        "I want to pay my bill by card",
        "the charge of last month is wrong",
    ],
    "repair": [
        "my line is dead since this morning",
        "there is no dial tone",
        "my internet does not work",
        "the line is dead again",
        "calls drop after a minute",
        "the modem shows a red light",
    ],
    "sales": [
        "I would like a second line",
        "do you have a cheaper plan",
        "I want to order a new phone",
        "which plan is best for my family",
        "can I order internet for my house",
        "what does a new phone cost",
    ],
}
calls = [call for said in CALLS.values() for call in said]
types = [kind for kind, said in CALLS.items() for _ in said]

# What the people at the desk know, with how sure they are.
KNOWN = {
    "refund": {"billing": 3.0},
    "noise": {"repair": 3.0},
    "upgrade": {"sales": 3.0},
    "technician": {"repair": 2.0},
}

router = CallRouter(n_estimators=40, prior_rules=KNOWN).fit(calls, types)
new = [
    "I want a refund",
    "there is a terrible noise on the line",
    "my bill is wrong",
    "good morning",
]
print("without rejection:", ", ".join(router.predict(new)))
router.set_params(threshold=0.5)
print("those below 0.5 go to a person:", ", ".join(router.predict(new)))

judged = ["please send a technician", "a plan for two phones", "the fee is wrong", "dead line"]
truth = ["repair", "sales", "billing", "repair"]
print("\naccuracy among the accepted:")
print(router.rejection_curve(judged, truth))

waiting = ["my bill is too high", "a new phone on my bill", "the line of my second phone"]
print("\nlabel next:", ", ".join(repr(waiting[i]) for i in router.ask_next(waiting, 2)))
