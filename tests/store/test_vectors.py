"""Vectors: a byte and a bit per component, searched by their bits, ranked by their bytes."""

from collections.abc import Iterator

import apsw
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from notesearch.store import vectors
from notesearch.store.db import Connection
from notesearch.store.store import Store

DIMENSIONS = 384
Matrix = NDArray[np.float32]


@pytest.fixture
def sql(store: Store) -> Iterator[apsw.Connection]:
    """An index without notes, for vectors."""
    connection = Connection(store.path, writer=True)
    vectors.create(connection.sql, DIMENSIONS)
    yield connection.sql
    connection.close()


def _clustered(seed: int, count: int, clusters: int) -> Matrix:
    """Return unit vectors in clusters, like those of notes on the same subjects."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((clusters, DIMENSIONS))
    subject = centres[random.integers(clusters, size=count)]
    made = subject + 0.8 * random.standard_normal((count, DIMENSIONS))
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), dtype=np.float32)


def _store(sql: apsw.Connection, rows: Matrix, first: int = 0) -> None:
    sql.execute("begin")
    vectors.insert(sql, range(first + 1, first + 1 + len(rows)), rows)
    sql.execute("commit")


def _store_paths(sql: apsw.Connection, rows: Matrix) -> None:
    """Store the vectors of heading paths, each of the one section with the same number."""
    vectors.insert(sql, range(len(rows)), rows, of_path=True)
    columns = "id, note_id, ordinal, heading, path, tags, level, line, end_line, features, path_id"
    query = f"insert into section ({columns}) values (?1, 1, ?1, '', '[]', '[]', 1, 1, 1, 0, ?1)"
    sql.execute("pragma foreign_keys = off")
    sql.executemany(query, [(id_,) for id_ in range(len(rows))])


def _keep_one_of_ten(sql: apsw.Connection) -> None:
    ids = sql.execute("select id from embedding where id % 10").fetchall()
    sql.executemany("delete from nearest where rowid = ?", ids)
    sql.executemany("delete from embedding where id = ?", ids)


_FLOATS = st.floats(-1, 1, width=32, allow_nan=False).filter(lambda x: x == 0 or abs(x) > 1e-6)


@given(arrays.arrays(np.float32, 64, elements=_FLOATS))
def test_int8_keeps_the_direction_and_the_signs(vector: Matrix) -> None:
    if not vector.any():
        return
    (whole,), bits = vectors.to_int8(vector[None]), vectors.sign_bits(vector)
    unpacked = np.frombuffer(whole, np.int8).astype(np.float32)
    lengths = np.linalg.norm(unpacked) * np.linalg.norm(vector)
    assert unpacked @ vector / lengths > 0.97
    signs = np.unpackbits(bits, bitorder="little")
    assert signs.tolist() == (vector > 0).astype(int).tolist()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 0.0])
def test_a_vector_without_a_direction_is_not_usable(bad: float) -> None:
    rows = np.ones((3, 8), np.float32)
    rows[1] = bad
    assert vectors.are_usable(rows).tolist() == [True, False, True]


def test_one_bad_component_makes_a_vector_unusable() -> None:
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


@pytest.mark.fault("D22, D23")
@pytest.mark.parametrize(("limit", "count"), [(1, 1), (10, 10), (300, 40), (10**9, 40)])
def test_any_limit_is_allowed(sql: apsw.Connection, limit: int, count: int) -> None:
    rows = _clustered(3, 40, 4)
    _store(sql, rows)
    assert len(vectors.nearest(sql, rows[0], limit)) == count


def test_an_empty_index_has_nothing_near(sql: apsw.Connection) -> None:
    assert vectors.nearest(sql, np.ones(DIMENSIONS, np.float32), 10) == []


@pytest.mark.fault("D11")
def test_an_embedding_is_stored_once(sql: apsw.Connection) -> None:
    rows = _clustered(4, 2, 1)
    _store(sql, rows[:1])
    _store(sql, rows[1:])  # as the first one
    assert len(vectors.nearest(sql, rows[0], 10)) == 1


def test_a_rebuilt_table_gives_the_same_answers(sql: apsw.Connection) -> None:
    rows = _clustered(5, 4000, 20)
    _store(sql, rows)
    _keep_one_of_ten(sql)
    before = vectors.nearest(sql, rows[809], 10)
    assert before[0][0] == 810
    vectors.rebuild(sql)
    assert vectors.nearest(sql, rows[809], 10) == before
    _store(sql, rows[:5], first=7000)
    assert vectors.nearest(sql, rows[0], 1)[0][1] == pytest.approx(1, abs=0.005)


def test_several_queries_rank_by_the_nearest_of_them(sql: apsw.Connection) -> None:
    """Not by their mean, which may be near none of them."""
    one, other = _clustered(11, 2, 2)
    between = (one + other) / np.linalg.norm(one + other)
    _store(sql, np.stack([between, one, other]))
    found = vectors.nearest(sql, np.stack([one, other]), 3)
    assert [id_ for id_, _ in found][2] == 1
    assert [similarity > 0.99 for _, similarity in found] == [True, True, False]


@pytest.mark.parametrize("bits", [64, 96, 384])
def test_vectors_may_have_any_number_of_dimensions(store: Store, bits: int) -> None:
    connection = Connection(store.path, writer=True)
    vectors.create(connection.sql, bits)
    rows = np.random.default_rng(8).standard_normal((2500, bits)).astype(np.float32)
    _store(connection.sql, rows)
    for number in (0, 495, 496, 2499):
        assert vectors.nearest(connection.sql, rows[number], 1)[0][0] == number + 1
    connection.close()


def test_the_nearest_of_many_are_among_the_candidates(sql: apsw.Connection) -> None:
    rows = _clustered(24, 12_000, 3000)
    _store(sql, rows)
    found_of_ten = []
    for near in rows[::300] + 0.04:
        query = near / np.linalg.norm(near)
        wanted = {id_ + 1 for id_ in np.argsort(-(rows @ query))[:10].tolist()}
        found_of_ten.append(len(wanted & {id_ for id_, _ in vectors.nearest(sql, query, 10)}))
    assert np.mean(found_of_ten) >= 9.6


def test_a_distance_limit_changes_no_candidates(
    sql: apsw.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = _clustered(31, 6000, 600)
    _store(sql, rows)
    queries = _clustered(32, 5, 5)
    with_limit = [vectors.nearest(sql, query, 500) for query in queries]
    bits = vectors.sign_bits(queries[0])
    assert vectors._radius(vectors.sample(sql), bits, vectors._CANDIDATES) is not None
    for radius in (None, 0, 60):
        monkeypatch.setattr(vectors, "_radius", lambda *_, radius=radius: radius)
        assert [vectors.nearest(sql, query, 500) for query in queries] == with_limit


def test_only_sections_that_fulfil_a_condition_are_near(sql: apsw.Connection) -> None:
    rows = _clustered(33, 2000, 20)
    _store(sql, rows)
    sql.execute(
        "insert into note values (1, 'a.md', '', '', '', 0, '', '', '', '', '', '', '', null, 0, 0,"
        " 0, 0, 0, x'', '', 0)"
    )
    for section in (1, 2):
        sql.execute(
            "insert into section values (?, 1, ?, '', '[]', '[]', 1, 1, 1, 0, null)", (section,) * 2
        )
    sql.executemany(
        "insert into passage values (?, ?, 0, 0, ?)", [(1 + n % 2, n, n + 1) for n in range(2000)]
    )
    found = vectors.nearest(sql, rows[0], 10, "s.id = ?", (2,))
    exact = np.argsort(-(rows[1::2] @ rows[0]))[:10] * 2 + 2
    assert len({id_ for id_, _ in found} & set(exact.tolist())) >= 9
    assert all(id_ % 2 == 0 for id_, _ in found)


def test_the_limit_is_reached_up_to_what_vec0_returns(sql: apsw.Connection) -> None:
    rows = _clustered(25, 5000, 300)
    _store(sql, rows)
    query = _clustered(26, 1, 1)[0]
    found = [len(vectors.nearest(sql, query, limit)) for limit in (10, 1000, 10**9)]
    assert found == [10, 1000, vectors._MOST]


def test_rebuilt_signs_are_the_same(sql: apsw.Connection) -> None:
    """Even of components that were rounded to zero."""
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


def test_damaged_chunks_are_an_error(sql: apsw.Connection) -> None:
    _store(sql, _clustered(10, 5, 1))
    sql.execute("update nearest_chunks set rowids = x'00'")
    with pytest.raises(apsw.SQLError):
        vectors.nearest(sql, np.ones(DIMENSIONS, np.float32), 1)


def test_signs_of_heading_paths_approximate_the_cosine(sql: apsw.Connection) -> None:
    rows = _clustered(11, 60, 6)
    _store_paths(sql, rows)
    near = vectors.near_paths(sql, rows[0], range(60))
    exact = dict(enumerate((rows @ rows[0]).tolist()))
    assert near.keys() == exact.keys()
    apart = [abs(near[n] - exact[n]) for n in exact if n]
    assert max(apart) < 0.2
    assert np.corrcoef([near[n] for n in exact], [exact[n] for n in exact])[0, 1] > 0.95
    assert vectors.near_paths(sql, rows[0], [99]) == {}


@pytest.fixture
def cone(sql: apsw.Connection) -> Matrix:
    """Unit vectors around one direction, with the mean of six of them as center."""
    axis = np.random.default_rng(12).choice([-3.0, 3.0], DIMENSIONS) / np.sqrt(DIMENSIONS)
    rows = np.asarray(_clustered(13, 4000, 300) + axis, np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    center = rows[:6].mean(axis=0)
    sql.execute("insert or replace into meta values ('model', 'narrow')")
    sql.execute(
        "insert into meta values (?, ?)", (vectors.center_key("narrow"), center.tobytes().hex())
    )
    return rows


def test_of_a_narrow_cone_the_nearest_are_found(sql: apsw.Connection, cone: Matrix) -> None:
    """Without a center, most signs are the same in all vectors."""
    assert (np.abs((cone > 0).mean(axis=0) - 0.5) > 0.45).mean() > 0.5
    _store(sql, cone)
    for query in cone[::400]:
        exact = set((np.argsort(-(cone @ query))[:10] + 1).tolist())
        found = {id_ for id_, _ in vectors.nearest(sql, query, 10)}
        assert len(found & exact) >= 9


def test_rebuilt_signs_have_the_same_center(sql: apsw.Connection, cone: Matrix) -> None:
    _store(sql, cone[:100])
    vectors.rebuild(sql)
    assert vectors.differing(sql) == 0


def test_of_a_narrow_cone_heading_paths_have_their_cosines(
    sql: apsw.Connection, cone: Matrix
) -> None:
    _store_paths(sql, cone[:600])
    near = vectors.near_paths(sql, cone[0], range(600))
    exact = dict(enumerate((cone[:600] @ cone[0]).tolist()))
    assert max(abs(near[n] - exact[n]) for n in exact if n) < 0.1
    assert np.corrcoef([near[n] for n in exact], [exact[n] for n in exact])[0, 1] > 0.75


@pytest.fixture
def mixed(sql: apsw.Connection) -> Matrix:
    """Vectors of two models in turn, each zero in the other's half; one half is a narrow cone."""
    half = DIMENSIONS // 2
    rows = np.asarray(_clustered(14, 6000, 300), np.float32)
    rows[::2, half:] = 0
    rows[1::2, :half] = 0
    rows[1::2, half:] += np.random.default_rng(15).choice([-3.0, 3.0], half) / np.sqrt(half)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    center = rows[1:12:2].mean(axis=0)
    sql.execute("insert or replace into meta values ('model', 'two')")
    sql.execute(
        "insert into meta values (?, ?)", (vectors.center_key("two"), center.tobytes().hex())
    )
    return rows


def test_of_two_models_each_finds_the_nearest_of_its_own_vectors(
    sql: apsw.Connection, mixed: Matrix
) -> None:
    _store(sql, mixed)
    for number in (0, 1, 2000, 2001, 4000, 4001):
        exact = set((np.argsort(-(mixed @ mixed[number]))[:10] + 1).tolist())
        found = vectors.nearest(sql, mixed[number], 10)
        assert len({id_ for id_, _ in found} & exact) >= 9
        assert {id_ % 2 for id_, _ in found} == {(number + 1) % 2}


def test_of_two_models_each_has_the_cosines_of_its_own_heading_paths(
    sql: apsw.Connection, mixed: Matrix
) -> None:
    half = DIMENSIONS // 2
    _store_paths(sql, mixed[:600])
    for first, part in ((0, slice(half)), (1, slice(half, None))):
        near = vectors.near_paths(sql, mixed[first], range(600), part)
        own = range(first, 600, 2)
        exact = mixed[:600] @ mixed[first]
        assert near.keys() == set(own)
        assert np.corrcoef([near[n] for n in own], exact[first::2])[0, 1] > 0.7
