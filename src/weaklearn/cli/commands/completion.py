"""``weaklearn completion``: commands, options and columns completed by a shell."""

from __future__ import annotations

import click


@click.command(
    epilog="""\b
Examples:
  weaklearn completion bash >> ~/.bashrc
  weaklearn completion zsh >> ~/.zshrc
  weaklearn completion fish > ~/.config/fish/completions/weaklearn.fish"""
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> int:
    """Print the script that teaches SHELL to complete commands, options, models and columns."""
    from click.shell_completion import get_completion_class

    from ..app import group

    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(group, {}, "weaklearn", "_WEAKLEARN_COMPLETE").source())
    return 0
