"""The table of classes that files may hold: a file names them by number, never by name."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

from ..registry.row import MODELS as MODELS
from .check import Check, home_of, home_of_class, need
from .error import Flaw
from .shape import Shape


class Record(NamedTuple):
    """How values of one class are written to a file and read from it.

    ``take`` gives the fields of a value, each of a type that the file knows or a record again;
    ``make`` checks fields and gives the value back. Fields are told apart by their order: a later
    version may append some, and ``make`` then fills in what an older file lacks. Of classes with
    ``take_many`` a list is written column by column. Where there is ``pack``, it gives other fields
    that take less room, or None where they would not, and ``spell`` turns these into the first
    ones, from which fingerprints are taken. ``fits`` holds values against the model that
    they are part of. The last field of a ``sided`` record does not belong to the fingerprint and
    goes to a section of its own. ``columns`` reads the number and the names of columns out of
    fields that were not made a value. ``cost`` is what one of a list takes to make, in plain
    objects: about 100 bytes and a microsecond each. ``settle`` is told of values that ``make_many``
    left packed, and of the bytes that there is room for: it gives those that they take, 0 where
    that is more, and ``decode`` decodes the others once all of the model is known to be sound.
    ``n_items`` tells from the fields before it how many items the next one has, if it is a list;
    one among the columns of many values has an item for each. ``holds`` tells of the fields
    that hold records, by place, the numbers of these; ``several`` says that a fitted name may hold
    any number of them in a list. ``knows`` refuses what is no name of a sided record, of
    its parameters (0) or of its fitted names (1), before the value is read, and ``begins``, of the
    outermost one, parameters that are wrong, before its fitted names are read.
    """

    number: int
    kind: type[Any] | str  # the class, or its module and name; compared with values to write
    take: Callable[[Any], Sequence[Any]]
    make: Callable[[list[Any]], Any]
    take_many: Callable[[Sequence[Any]], Sequence[Any]] | None = None
    make_many: Callable[[int, list[Any]], list[Any]] | None = None
    pack: Callable[[Sequence[Any]], Sequence[Any] | None] | None = None
    spell: Callable[[int, list[Any]], list[Any]] | None = None
    fits: Callable[[str, Sequence[Any], Shape], None] | None = None
    sided: bool = False
    columns: Callable[[Sequence[Any]], tuple[int | None, tuple[Any, ...] | None]] | None = None
    cost: int = 1
    settle: Callable[[Sequence[Any], int], int] | None = None
    decode: Callable[[Sequence[Any]], None] = lambda values: None
    n_items: Callable[[Sequence[Any]], int | None] = lambda fields: None
    holds: Mapping[int, Container[int]] = MappingProxyType({})
    several: bool = False
    knows: Callable[[int, Any], None] = lambda k, name: None
    begins: Callable[[Any, Any], None] = lambda parameters, aside: None

    @property
    def home(self) -> str:
        """Module and name of the class."""
        return home_of_class(self.kind)

    @property
    def name(self) -> str:
        return self.home.rpartition(".")[2]


class Book:
    """The records that a file may hold, looked up by number or by class."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._by_number: dict[int, Record] = {}
        self._by_home: dict[str, Record] = {}
        for record in records:
            self.add(record)

    @property
    def records(self) -> tuple[Record, ...]:
        """All records."""
        return tuple(self._by_number.values())

    def add(self, record: Record) -> None:
        """Adds a record; its number and its class must be new."""
        assert record.number not in self._by_number
        assert record.home not in self._by_home
        self._by_number[record.number] = self._by_home[record.home] = record

    def of(self, value: Any) -> Record | None:
        """The record of a value's class, or None."""
        return self._by_home.get(home_of(value))

    def numbered(self, number: int) -> Record:
        if number not in self._by_number:
            raise Flaw(f"there is no record number {number}")
        return self._by_number[number]


class RegisteredBook(Book):
    """A book that imports the modules of more records of the library when they are asked for.

    ``places`` gives the module of a number, ``homes`` modules of which the numbers are not known.
    """

    def __init__(
        self,
        records: Iterable[Record],
        homes: Sequence[str],
        places: Mapping[int, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(records)
        self._places = places
        self._homes = homes
        self._packages = {_module(home).rpartition(".")[0] for home in homes}

    @property
    def records(self) -> tuple[Record, ...]:
        """All records, those of the other modules included."""
        self._complete()
        return super().records

    def of(self, value: Any) -> Record | None:
        """The record of a value's class, or None."""
        found = super().of(value)
        package = type(value).__module__.rpartition(".")[0]
        if found is None and package in self._packages:
            self._complete()
            found = super().of(value)
        return found

    def numbered(self, number: int) -> Record:
        """The record of a number; a ``Flaw`` if there is none."""
        if number not in self._by_number and number in self._places:
            self._add_all(self._places[number])
        self._complete(until=number)
        return super().numbered(number)

    def _complete(self, until: int | None = None) -> None:
        """Imports the modules in turn, until there is a record of this number."""
        for home in self._homes:
            if until in self._by_number:
                return
            self._add_all(home)

    def _add_all(self, home: str) -> None:
        for record in records_of(home):
            if record.number not in self._by_number:
                self.add(record)


class NumbersOf:
    """The numbers of the records in a module of the library, imported when it is asked for."""

    def __init__(self, home: str) -> None:
        self._home = home

    def __contains__(self, number: object) -> bool:
        return any(record.number == number for record in records_of(self._home))


def records_of(home: str) -> Iterator[Record]:
    """The records that a module defines, by themselves or in a tuple."""
    for value in vars(import_module(_module(home))).values():
        alone = isinstance(value, Record) or not isinstance(value, tuple)
        for record in (value,) if alone else value:
            if isinstance(record, Record):
                yield record


def _module(home: str) -> str:
    return f"{__name__.partition('.')[0]}.{home}"


def plain(
    number: int,
    kind: type[Any],
    fields: Mapping[str, Check],
    build: Callable[..., Any] | None = None,
    **more: Any,
) -> Record:
    """The record of a dataclass, from the check of each field.

    ``build`` makes a value of all fields, by their names, where the constructor does not.
    """

    def take(value: Any) -> list[Any]:
        return [getattr(value, name) for name in fields]

    def make(values: list[Any]) -> Any:
        expect(values, len(fields))
        for (name, check), value in zip(fields.items(), values, strict=True):
            check(name, value)
        try:
            return (build or kind)(**dict(zip(fields, values, strict=True)))
        except (TypeError, ValueError, OverflowError) as error:  # it has a check of its own
            raise Flaw(str(error)[:300]) from None

    return Record(number, kind, take, make, **more)


def in_columns(
    number: int,
    kind: type[Any],
    take: Callable[[Sequence[Any]], Sequence[Any]],
    make: Callable[[int, list[Any]], list[Any]],
    **more: Any,
) -> Record:
    """The record of a class of which many are written, column by column, as one is."""
    return Record(
        number,
        kind,
        take=lambda value: take([value]),
        make=lambda fields: make(1, fields)[0],
        take_many=take,
        make_many=make,
        **more,
    )


def expect(values: list[Any], n: int) -> None:
    """Refuses a list that has not n fields."""
    need(len(values) == n, f"it has {len(values)} fields; it must have {n}")
