"""Which versions of workers are refused."""

import re
from dataclasses import replace

import pytest

from weaklearn.cluster.part import own_version

OWN = own_version()


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"weaklearn": "9.9"}, "has weaklearn .*, and here is 9.9"),
        ({"core": "0" * 64}, "has the compiled core .*, and here is 000000000000"),
        ({"byteorder": "middle"}, "has .*-endian numbers, and here are middle-endian ones"),
        ({"core": "0" * 64, "platform": "elsewhere"}, "has None"),  # told of, not refused
        ({}, "has None"),
    ],
)
def test_what_a_worker_must_share_with_the_client(other, told):
    assert re.search(told, f"has {replace(OWN, **other).differs(OWN)}")
