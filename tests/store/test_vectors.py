"""Vectors: packed to a byte and a bit per component, searched by bits, ranked by bytes."""

from collections.abc import Iterator

import apsw
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from notesearch.store import vectors
from notesearch.store.db import Connection
from notesearch.store.kept_rows import KeptRows
from notesearch.store.signs import Signs
from notesearch.store.signs import signs as signs_of
from notesearch.store.store import Store

DIMENSIONS = 384
Matrix = NDArray[np.float32]


@pytest.fixture
def sql(store: Store) -> Iterator[apsw.Connection]:
    """An index that holds vectors alone."""
    connection = Connection(store.path, writer=True)
    vectors.create(connection.sql, DIMENSIONS)
    yield connection.sql
    connection.close()


def _clustered(seed: int, count: int, clusters: int) -> Matrix:
    """Return unit vectors that crowd together as those of notes on the same subjects do."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((clusters, DIMENSIONS))
    subject = centres[random.integers(clusters, size=count)]
    made = subject + 0.8 * random.standard_normal((count, DIMENSIONS))
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), dtype=np.float32)


def _store(sql: apsw.Connection, rows: Matrix, first: int = 0) -> None:
    sql.execute("begin")
    vectors.insert(sql, range(first + 1, first + 1 + len(rows)), rows)
    sql.execute("commit")


def _keep_one_of_ten(sql: apsw.Connection) -> None:
    ids = sql.execute("select id from embedding where id % 10").fetchall()
    sql.executemany("delete from nearest where rowid = ?", ids)
    sql.executemany("delete from embedding where id = ?", ids)


_FLOATS = st.floats(-1, 1, width=32, allow_nan=False).filter(lambda x: x == 0 or abs(x) > 1e-6)


@given(arrays.arrays(np.float32, 64, elements=_FLOATS))
@settings(max_examples=100)
def test_packing_keeps_the_direction(vector: Matrix) -> None:
    if not vector.any():
        return
    (whole,), bits = vectors.pack(vector[None]), signs_of(vector)
    unpacked = np.frombuffer(whole, np.int8).astype(np.float32)
    lengths = np.linalg.norm(unpacked) * np.linalg.norm(vector)
    assert unpacked @ vector / lengths > 0.97
    signs = np.unpackbits(bits, bitorder="little")
    assert signs.tolist() == (vector > 0).astype(int).tolist()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 0.0])
def test_what_points_nowhere_is_of_no_use(bad: float) -> None:
    rows = np.ones((3, 8), np.float32)
    rows[1] = bad
    assert vectors.are_usable(rows).tolist() == [True, False, True]


def test_one_bad_component_is_enough() -> None:
    rows = np.ones((2, 8), np.float32)
    rows[1, 3] = np.nan
    assert vectors.are_usable(rows).tolist() == [True, False]


@pytest.mark.parametrize("clusters", [20, 200])
def test_the_nearest_are_nearly_always_found(sql: apsw.Connection, clusters: int) -> None:
    rows = _clustered(1, 3000, clusters)
    _store(sql, rows)
    found_of_ten = []
    for near in rows[::150] + 0.02:
        query = near / np.linalg.norm(near)
        exact = rows @ query
        wanted = set(np.argsort(-exact)[:10].tolist())
        found = vectors.nearest(sql, query, 10)
        similarities = [similarity for _, similarity in found]
        assert similarities == sorted(similarities, reverse=True)
        for id_, similarity in found:
            assert similarity == pytest.approx(exact[id_ - 1], abs=0.01)
        found_of_ten.append(len(wanted & {id_ - 1 for id_, _ in found}))
    assert np.mean(found_of_ten) >= 9.7
    assert min(found_of_ten) >= 8


def test_a_vector_is_nearest_to_itself(sql: apsw.Connection) -> None:
    rows = _clustered(2, 500, 10)
    _store(sql, rows)
    for number in range(0, 500, 50):
        ((id_, similarity),) = vectors.nearest(sql, rows[number], 1)
        assert id_ == number + 1
        assert similarity == pytest.approx(1, abs=0.005)


@pytest.mark.parametrize(("limit", "count"), [(1, 1), (10, 10), (300, 40), (10**9, 40)])
def test_any_limit_is_fine(sql: apsw.Connection, limit: int, count: int) -> None:
    rows = _clustered(3, 40, 4)
    _store(sql, rows)
    assert len(vectors.nearest(sql, rows[0], limit)) == count


def test_nothing_is_near_where_nothing_is(sql: apsw.Connection) -> None:
    assert vectors.nearest(sql, np.ones(DIMENSIONS, np.float32), 10) == []


def test_the_same_passage_is_stored_once(sql: apsw.Connection) -> None:
    rows = _clustered(4, 2, 1)
    _store(sql, rows[:1])
    _store(sql, rows[1:])  # as the first one
    assert len(vectors.nearest(sql, rows[0], 10)) == 1


def test_room_of_deleted_vectors_is_given_back(sql: apsw.Connection) -> None:
    rows = _clustered(5, 4000, 20)
    _store(sql, rows)
    assert not vectors.compact(sql)
    _keep_one_of_ten(sql)
    before = vectors.nearest(sql, rows[809], 10)
    assert before[0][0] == 810
    assert vectors.compact(sql)
    assert sql.execute("select count(*) from nearest_chunks").fetchall() == [(1,)]
    assert vectors.nearest(sql, rows[809], 10) == before
    assert not vectors.compact(sql)
    _store(sql, rows[:5], first=7000)
    assert vectors.nearest(sql, rows[0], 1)[0][1] == pytest.approx(1, abs=0.005)


def test_an_index_without_vectors_is_not_compacted(sql: apsw.Connection) -> None:
    assert not vectors.compact(sql)


def test_each_of_several_vectors_asked_for_finds_what_is_near_to_it(sql: apsw.Connection) -> None:
    """Not what is near to their mean, which may be near to none of them."""
    one, other = _clustered(11, 2, 2)
    between = (one + other) / np.linalg.norm(one + other)
    _store(sql, np.stack([between, one, other]))
    found = vectors.nearest(sql, np.stack([one, other]), 3)
    assert [id_ for id_, _ in found][2] == 1
    assert [similarity > 0.99 for _, similarity in found] == [True, True, False]


@pytest.mark.parametrize("bits", [64, 96, 384])
def test_signs_are_compared_in_any_length(store: Store, bits: int) -> None:
    connection = Connection(store.path, writer=True)
    vectors.create(connection.sql, bits)
    rows = np.random.default_rng(8).standard_normal((2500, bits)).astype(np.float32)
    _store(connection.sql, rows)
    for number in (0, 495, 496, 2499):
        assert vectors.nearest(connection.sql, rows[number], 1)[0][0] == number + 1
    connection.close()


def _seeming_nearest(bits: NDArray[np.bool_], query: Matrix, count: int, alike: int) -> set[int]:
    """Return which rows seem nearest, reckoned one by one."""
    differing = (bits != (query > 0)).sum(axis=1)
    candidates = np.flatnonzero(differing <= np.sort(differing)[min(alike, len(bits)) - 1])
    by_query = np.array([query[row].sum(dtype=np.float64) for row in bits[candidates]])
    return set(candidates[by_query >= np.sort(by_query)[-count]].tolist())


@pytest.mark.parametrize("bits", [48, 384])
def test_those_are_near_whose_signs_the_query_weighs_most(
    bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("notesearch.store.signs._ALIKE", 200)
    monkeypatch.setattr("notesearch.store.signs._SHARE", 4)  # of 1,100, that is 275
    rows = _clustered(18, 1100, 400)[:, :bits]
    # Rounded, so that some are equally near.
    query = np.asarray(np.rint(_clustered(20, 1, 1)[0, :bits] * 64) / 64, np.float32)
    for block in (100, 100_000):
        monkeypatch.setattr("notesearch.store.signs._BLOCK", block)
        monkeypatch.setattr("notesearch.store.signs._WEIGHED", 200 * block)
        copy = _copy_of(rows)
        for count in (1, 20, 299, 1099):
            found = copy.nearest(query, count)
            assert set(found) == _seeming_nearest(rows > 0, query, count, max(275, count))
            assert count <= len(found) == len(set(found))


def test_the_nearest_of_many_are_among_the_candidates() -> None:
    """Of the ten, 9.7; among the 500 that differ in the fewest signs are 9.1."""
    rows = _clustered(24, 12_000, 3000)
    copy = _copy_of(rows)
    found_of_ten = []
    for near in rows[::300] + 0.04:
        query = near / np.linalg.norm(near)
        wanted = set(np.argsort(-(rows @ query))[:10].tolist())
        found_of_ten.append(len(wanted & set(vectors.candidates(copy, query, 10))))
    assert np.mean(found_of_ten) >= 9.6


def test_who_wants_many_has_more_candidates() -> None:
    copy = _copy_of(_clustered(25, 3000, 300))
    query = _clustered(26, 1, 1)[0]
    assert [len(vectors.candidates(copy, query, limit)) for limit in (10, 1000)] == [350, 1200]


@given(st.integers(-30, 30))
def test_the_length_of_a_query_does_not_matter(power: int) -> None:
    copy = _copy_of(_clustered(27, 2000, 200))
    query = _clustered(28, 1, 1)[0]
    assert copy.nearest(query * np.float32(2.0**power), 50) == copy.nearest(query, 50)


def test_what_signs_weigh_is_reckoned_exactly() -> None:
    """So that it is the same wherever in memory they stand."""
    rows = np.random.default_rng(29).standard_normal((3000, 384)).astype(np.float32)
    query = _clustered(30, 1, 1)[0] * np.float32(0.75)
    weighed = _copy_of(rows)._products(np.arange(3000), query)
    parts = np.rint(query * 2**17).astype(np.int64)
    assert (weighed == (rows > 0) @ parts).all()


def _copy_of(rows: Matrix) -> Signs:
    packed = np.pad(signs_of(rows), ((0, 0), (0, -rows.shape[1] // 8 % 8)))
    return Signs(np.arange(len(rows)), np.ascontiguousarray(packed.view(np.uint64).T))


def test_which_are_near_does_not_depend_on_their_order() -> None:
    """Made anew, an index has other numbers, and must give the same answers."""
    random = np.random.default_rng(21)
    rows = np.repeat(_clustered(22, 900, 30), 3, axis=0)
    queries = _clustered(23, 20, 20)
    order = random.permutation(len(rows))
    before, after = _copy_of(rows), _copy_of(rows[order])
    for query in queries:
        found = set(before.nearest(query, 100))
        assert {int(order[number]) for number in after.nearest(query, 100)} == found
        assert all({number // 3 * 3 + n for n in range(3)} <= found for number in found)


def test_of_ever_so_many_that_are_equally_far_some_are_near() -> None:
    copy = Signs(np.arange(5000), np.zeros((6, 5000), np.uint64))
    assert copy.nearest(np.ones(384, np.float32), 500) == list(range(1000))


def test_signs_made_anew_are_the_same(sql: apsw.Connection) -> None:
    """Some components are rounded to zero, and have no sign any more."""
    _store(sql, _clustered(19, 600, 20))
    query = "select rowid, signs from nearest order by rowid"
    before = sql.execute(query).fetchall()
    vectors.rebuild(sql)
    assert sql.execute(query).fetchall() == before


def test_deleted_vectors_are_not_found(sql: apsw.Connection) -> None:
    rows = _clustered(9, 1200, 20)
    _store(sql, rows)
    _keep_one_of_ten(sql)
    found = [id_ for id_, _ in vectors.nearest(sql, rows[0], 1200)]
    assert sorted(found) == list(range(10, 1201, 10))


def test_signs_read_again_are_those_of_the_index(sql: apsw.Connection) -> None:
    """The last vectors go, others take their numbers and their room."""
    rows = _clustered(12, 1300, 20)
    _store(sql, rows[:1200])
    kept = Signs.read(sql)
    sql.execute("delete from nearest where rowid > 1100 or rowid = 7")
    sql.execute("delete from embedding where id > 1100 or id = 7")
    _store(sql, rows[1200:], first=1100)
    again = Signs.read(sql, kept)
    assert sorted(again.ids.tolist()) == [id_ for id_ in kept.ids.tolist() if id_ != 7]
    assert _by_id(again) == _by_id(Signs.read(sql)) != _by_id(kept)


def test_signs_of_a_copy_made_anew_are_read_again(sql: apsw.Connection) -> None:
    _store(sql, _clustered(15, 1100, 20))
    before = Signs.read(sql)
    sql.execute("delete from embedding")
    vectors.create(sql, DIMENSIONS)
    _store(sql, _clustered(16, 1100, 20))
    after = Signs.read(sql, before)
    assert after.ids.tolist() == before.ids.tolist()
    assert _by_id(after) == _by_id(Signs.read(sql)) != _by_id(before)


def test_signs_of_blobs_that_did_not_change_are_not_read_again(sql: apsw.Connection) -> None:
    _store(sql, _clustered(13, 1400, 20))
    before = Signs.read(sql)
    _store(sql, _clustered(14, 10, 1), first=1400)
    sql.execute("delete from nearest where rowid = 700")
    sql.execute("update nearest_vector_chunks00 set vectors = zeroblob(length(vectors))")
    known, after = _by_id(before), _by_id(Signs.read(sql, before))
    assert [id_ for id_ in after if any(after[id_])] == list(range(1, 497))
    assert all(after[id_] == known[id_] for id_ in range(1, 497))


def test_memory_holds_signs_once(sql: apsw.Connection) -> None:
    _store(sql, _clustered(17, 1100, 20))
    signs = Signs.read(sql)
    assert len(signs.settled) == 2
    assert all(chunk.columns.base is signs.columns for chunk in signs.settled.values())
    again = Signs.read(sql, signs)
    assert _by_id(again) == _by_id(signs)
    assert all(chunk.columns.base is again.columns for chunk in again.settled.values())


def _by_id(signs: Signs) -> dict[int, bytes]:
    return {id_: signs.columns[:, n].tobytes() for n, id_ in enumerate(signs.ids.tolist())}


def test_blobs_of_another_shape_are_damage(sql: apsw.Connection) -> None:
    _store(sql, _clustered(10, 5, 1))
    sql.execute("update nearest_chunks set rowids = x'00'")
    with pytest.raises(apsw.CorruptError):
        vectors.nearest(sql, np.ones(DIMENSIONS, np.float32), 1)


def test_signs_of_heading_paths_tell_about_the_cosine(sql: apsw.Connection) -> None:
    rows = _clustered(11, 60, 6)
    vectors.insert(sql, range(60), rows, of_path=True)
    near = vectors.near_paths(sql, rows[0], range(60), KeptRows(0))
    exact = dict(enumerate((rows @ rows[0]).tolist()))
    assert near.keys() == exact.keys()
    apart = [abs(near[n] - exact[n]) for n in exact if n]
    assert max(apart) < 0.2
    assert np.corrcoef([near[n] for n in exact], [exact[n] for n in exact])[0, 1] > 0.95
    assert vectors.near_paths(sql, rows[0], [99], KeptRows(0)) == {}
