"""``weaklearn reproduce``: the experiments of the founding texts, run again."""

from __future__ import annotations

import click

from ...base.messages.table import Table
from .. import option, output
from ..fault import FAILED


@click.command(
    epilog="""\b
Examples:
  weaklearn reproduce --list
  weaklearn reproduce ten-points games
  weaklearn reproduce --data tables/ --output results/"""
)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--data",
    type=option.FILE,
    metavar="DIR",
    help="A folder of tables, texts and pictures; without it what is bundled or downloaded.",
)
@click.option(
    "-o",
    "--output",
    "folder",
    type=option.FILE,
    metavar="DIR",
    default="results",
    show_default=True,
    help="The folder of the page and the CSV files; what is finished there is not run again.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="N")
@click.option(
    "--runs",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="At most so many repetitions of a trial; by default as many as its source made.",
)
@click.option(
    "--quick", is_flag=True, help="A short form, in a folder of its own: to see that all runs."
)
@click.option("--again", is_flag=True, help="Run also what is finished.")
@click.option("--list", "only_list", is_flag=True, help="Print the experiments and end.")
def command(
    names: tuple[str, ...],
    data: str | None,
    folder: str,
    seed: int,
    runs: int | None,
    quick: bool,
    again: bool,
    only_list: bool,
) -> int:
    """Run the experiments of the founding books and papers, all or those named.

    One page, index.html, shows each published figure beside ours. The exit status is 1 where an
    experiment could not run.
    """
    from ...experiments import EXPERIMENTS, reproduce

    if only_list:
        rows = [(each.name, each.title, each.needs) for each in EXPERIMENTS.values()]
        output.show(Table("experiments", ("name", "title", "needs"), rows, shown=len(rows)))
        return 0
    outcomes = reproduce(
        names,
        data=data,
        output=folder,
        seed=seed,
        quick=quick,
        runs=runs,
        again=again,
        say=output.say,
    )
    failed = [outcome.experiment.name for outcome in outcomes if outcome.result is None]
    if failed:
        output.say(f"could not run: {', '.join(failed)}.")
    return FAILED if failed else 0
