"""Every way a model file can be bad has its test: the ways, and where each is tried."""

from __future__ import annotations

import importlib

import pytest

# What a file or a disk may do to us, and the tests that try it.
PROMISES = {
    "empty, of another kind, no regular file": (
        "test_envelope.test_other_files_are_refused_by_what_they_look_like",
        "test_envelope.test_zips_are_refused_by_name",
        "test_envelope.test_what_is_no_regular_file_is_refused_at_once",
    ),
    "truncated at any byte": ("test_envelope.test_truncated_at_every_byte",),
    "any bit flipped": ("test_envelope.test_every_bit_counts",),
    "trailing bytes": ("test_envelope.test_bytes_behind_the_end_are_refused",),
    "a newer version, a draft, none, nonsense": ("test_envelope.test_versions",),
    "released versions load": ("tests.frozen.test_frozen.test_an_old_file_answers_as_it_did",),
    "huge, negative or wrong counts": (
        "test_hostile.test_bombs_take_neither_memory_nor_time",
        "test_value.test_bad_bytes_are_refused",
        "test_tree.test_columns_of_another_length_or_kind_are_refused",
    ),
    "deep nesting": ("test_value.test_nesting_ends",),
    "children out of range, cyclic, shared, unreachable": (
        "test_tree.test_trees_that_lead_astray_are_refused",
        "test_tree.test_cycles_cannot_be_written",
    ),
    "features out of range": (
        "test_tree.test_trees_fit_their_columns",
        "test_hostile.test_parts_that_are_off_are_refused",
    ),
    "thresholds, leaves, priors that are no numbers": (
        "test_tree.test_trees_that_lead_astray_are_refused",
        "test_hostile.test_parts_that_are_off_are_refused",
    ),
    "edges not sorted, categories or classes twice, shares that do not sum": (
        "test_term.test_terms_that_are_off_are_refused",
        "test_hostile.test_parts_that_are_off_are_refused",
        "test_hostile.test_marks_must_rise",
    ),
    "keys twice, unknown sections": (
        "test_value.test_bad_bytes_are_refused",
        "test_envelope.test_sections",
        "test_envelope.test_unknown_optional_sections_are_left_unread_and_listed",
    ),
    "texts that are none": ("test_value.test_bad_bytes_are_refused",),
    "bombs": (
        "test_packed.test_bombs_take_neither_memory_nor_time",
        "test_packed.test_a_file_of_packed_bombs_is_refused",
    ),
    "no archive of paths": ("test_envelope.test_zips_are_refused_by_name",),
    "no name of code": (
        "test_hostile.test_no_name_of_code_stands_in_a_file",
        "test_hostile.test_only_names_of_the_table_are_set",
    ),
    "time and memory beyond a file's size": (
        "test_bounds.test_code_words_are_of_bounded_length",
        "test_bounds.test_packed_trees_take_memory_by_their_bytes",
        "test_bounds.test_estimators_without_end_are_refused_in_time",
        "test_bounds.test_columns_that_nothing_tells_of_are_bounded",
    ),
    "a model that loads and cannot answer": (
        "test_bounds.test_what_could_not_answer_is_refused",
        "test_bounds.test_votes_without_a_finite_sum_are_refused",
        "test_fuzz.test_mutated_files_of_every_kind_are_refused_or_sound",
    ),
    "sizes that overflow": ("test_hostile.test_bombs_take_neither_memory_nor_time",),
    "hostile content under a right checksum": (
        "test_hostile.test_every_bit_flipped_under_a_right_checksum",
        "test_hostile.test_mutations_under_a_right_checksum",
        "test_fuzz.test_mutated_files_of_every_kind_are_refused_or_sound",
    ),
    "a file that changes while it is read": (
        "test_envelope.test_a_file_that_changes_while_it_is_read",
        "test_envelope.test_a_file_rewritten_while_it_is_read_is_whole_or_refused",
    ),
    "a full disk, no permission, an error, a kill": (
        "test_disk.test_a_full_disk_leaves_the_old_file",
        "test_fuzz.test_a_disk_that_is_full_leaves_the_old_file",
        "test_disk.test_a_read_only_folder",
        "test_disk.test_an_error_leaves_the_old_file",
        "test_disk.test_an_interrupt_leaves_the_old_file",
        "test_fuzz.test_writers_killed_leave_one_whole_file",
    ),
    "two writers": ("test_disk.test_of_two_writers_one_whole_file_wins",),
}


@pytest.mark.parametrize("promise", PROMISES)
def test_every_promise_is_tried(promise: str) -> None:
    for home in PROMISES[promise]:
        module, _, name = home.rpartition(".")
        where = module if module.startswith("tests.") else f"tests.files.{module}"
        assert callable(getattr(importlib.import_module(where), name))
