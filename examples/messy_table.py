"""A table as it comes: strings, missing values, dates and booleans, without any preparation."""

from io import StringIO

import pandas as pd

from weaklearn import AdaBoostClassifier

TABLE = """\
opened,town,income,owner,repaid
2021-03-01,Ely,31.0,True,yes
2021-07-15,Bath,45.5,True,yes
,,28.0,False,no
2022-01-10,Ely,,,yes
2022-02-02,Wells,39.0,False,no
2022-05-30,Bath,52.0,True,yes
2022-09-12,Ely,,False,no
2023-01-20,,33.5,False,no
2023-04-04,Wells,36.0,True,no
,Bath,61.0,True,yes
2023-08-19,Wells,30.0,False,no
2023-11-23,Ely,48.0,,yes
"""

loans = pd.read_csv(StringIO(TABLE), parse_dates=["opened"])
repaid = loans.pop("repaid")

model = AdaBoostClassifier(n_estimators=4).fit(loans, repaid)
print(model.rules())
print(f"right about {model.score(loans, repaid):.0%} of the loans it has seen")

# New rows may have missing values where there were none, and unknown categories.
new = pd.DataFrame(
    {
        "opened": pd.to_datetime(["2024-02-29", None]),
        "town": ["Ely", "Truro"],
        "income": [29.0, None],
        "owner": [None, True],
    }
)
for town, p in zip(new["town"], model.predict_proba(new)[:, 1]):
    print(f"{town}: repaid with probability {p:.2f}")
