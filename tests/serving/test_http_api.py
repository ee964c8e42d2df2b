"""The HTTP API in a process: its answers, its access rules, and its OpenAPI document."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import httpx2
import pytest

from notesearch.serving.http_api import OPERATIONS, document
from tests.folders import snapshot, write
from tests.limits import WAIT_S
from tests.serving.servers import (
    ESCAPES,
    SECRET,
    TOKEN,
    environment,
    escapes,
    listening,
    write_vault,
)

BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_vault(tmp_path_factory.mktemp("served"))


@pytest.fixture(scope="module")
def address(vault: Path) -> Iterator[str]:
    """A server whose index is up to date."""
    with listening(["serve", "--vault", str(vault)], vault.parent / "home") as address:
        httpx2.post(f"{address}/api/v1/reindex", headers=BEARER, timeout=60).raise_for_status()
        while ask(address, "stats")["pending"]:
            pass
        yield address


def get(
    address: str, path: str, headers: dict[str, str] = BEARER, **params: Any
) -> httpx2.Response:
    return httpx2.get(f"{address}/api/v1/{path}", headers=headers, params=params, timeout=60)


def ask(address: str, path: str, **params: Any) -> dict[str, Any]:
    answer = get(address, path, **params)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert isinstance(found, dict)
    return found


def post(address: str, path: str, **params: Any) -> dict[str, Any]:
    answer = httpx2.post(f"{address}/api/v1/{path}", headers=BEARER, params=params, timeout=60)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("path", ["stats/", "search/", "pages", "nothing"])
def test_errors_are_json(address: str, path: str) -> None:
    answer = get(address, path)
    assert (answer.status_code, answer.json()["error"]["kind"]) == (404, "not_served")


@pytest.mark.parametrize("body", [{"json": {"force": True}}, {"content": iter([b"x"])}])
def test_a_body_is_refused_because_nothing_reads_it(address: str, body: dict[str, Any]) -> None:
    answer = httpx2.post(f"{address}/api/v1/reindex", headers=BEARER, timeout=60, **body)
    assert answer.status_code == 422
    assert "in the address, not in a body" in answer.json()["error"]["message"]


class TestAnswers:
    def test_by_meaning(self, address: str) -> None:
        found = ask(address, "semantic-search", q="plants in a lake", n=3, max_chunks_per_page=1)
        distances = [one["distance"] for one in found["results"]]
        assert distances == sorted(distances)
        assert len({one["path"] for one in found["results"]}) == len(distances)
        assert found["total"] >= len(distances)
        near = next(one for one in found["results"] if one["path"] == "pond.md")
        assert 0 < near.pop("distance") < 1 - near["cosine"] / 3
        assert 25 < near.pop("percent") < 100
        assert 0.3 < near.pop("cosine") < 1
        assert near.pop("last_updated").startswith("20")
        assert near == {
            "id": "pond.md::chunk_0", "name": "Pond", "path": "pond.md",
            "url": "/api/v1/pages/pond.md?section=Edge%20%28line%203%29",
            "section": "Edge", "section_path": ["Edge"], "category": "", "tags": [],
            "snippet": "[Pond > Edge] Reeds and rushes grow at the water.",
            "chunk_index": 0, "total_chunks": 1, "page_word_count": 7, "line": 3, "end_line": 5,
            "passage_line": 5, "passage_end_line": 5, "vault": "vault",
        }  # fmt: skip

    def test_passages_are_counted_by_page(self, address: str, vault: Path) -> None:
        days = "\n\n".join(f"On day {n} we rowed past the reeds of the lake." for n in range(90))
        write(vault, {"rowing.md": f"---\nupdated: 2024-05-06\ntags: sport\n---\n# Log\n\n{days}"})
        try:
            post(address, "reindex")
            while ask(address, "stats")["pending"]:
                pass
            found = ask(address, "semantic-search", q="rowing on a lake", n=9,
                        max_chunks_per_page=5)  # fmt: skip
            of_page = [one for one in found["results"] if one["path"] == "rowing.md"]
            assert len(of_page) == 5 < of_page[0]["total_chunks"]
            assert len({one["id"] for one in of_page}) == 5
            assert {one["section"] for one in of_page} == {"Log"}
            assert all(one["last_updated"] == "2024-05-06" for one in of_page)
            assert all(one["tags"] == ["sport"] for one in of_page)
            for one in of_page:
                page = get(address.removesuffix("/"), one["url"].removeprefix("/api/v1/")).json()
                assert one["snippet"].partition("] ")[2][:40] in page["text"]
        finally:
            (vault / "rowing.md").unlink()
            post(address, "reindex")

    def test_a_forced_reindex_makes_the_index_again(self, address: str, vault: Path) -> None:
        assert post(address, "reindex", force="1")["rebuilt"]
        index = vault.parent / "home" / "data" / "indexes"
        assert not [one for one in index.iterdir() if "set-aside" in one.name]
        assert ask(address, "stats")["notes"] == post(address, "reindex")["notes"] == 7
        while ask(address, "stats")["pending"]:
            pass

    @pytest.mark.parametrize("query", ["tag:water", "tag:water path:hills"])
    def test_by_filters_alone(self, address: str, query: str) -> None:
        found = ask(address, "semantic-search", q=query, max_chunks_per_page=1, after="1999")
        assert found["query"] == query
        assert [one["path"] for one in found["results"]] == ["river.md"] * (query == "tag:water")

    @pytest.mark.parametrize(
        ("params", "paths"),
        [
            ({"q": "reeds", "per_note": 1}, ["pond.md", "river.md"]),
            ({"q": "reeds", "tags": ["water"]}, ["river.md"]),
            ({"q": "reeds", "tags": "#water,"}, ["river.md"]),
            ({"q": "reeds", "tags": "water,nowhere"}, []),
            ({"q": "", "property": "category=land"}, ["river.md"]),
            ({"q": "nothinglikeit"}, []),
        ],
    )
    def test_by_words_and_filters(
        self, address: str, params: dict[str, Any], paths: list[str]
    ) -> None:
        found = ask(address, "search", mode="words", **params)
        assert sorted(note["path"] for note in found["results"]) == paths
        assert found["query"] == params["q"]

    @pytest.mark.parametrize("endpoint", ["search", "semantic-search"])
    @pytest.mark.parametrize(
        ("params", "told"),
        [
            ({"q": "tag:watre"}, "No notes match “tag:watre”. Did you mean tag:water?"),
            ({"q": "reeds", "property": "category:lnad"}, "Did you mean prop:category=land?"),
            ({"q": "reeds path:hlils"}, "Did you mean path:hills?"),
        ],
    )
    def test_filters_that_match_nothing_are_told(
        self, address: str, endpoint: str, params: dict[str, str], told: str
    ) -> None:
        found = ask(address, endpoint, **params)
        assert found["results"] == []
        assert told in " ".join(found["remarks"])

    @pytest.mark.parametrize("endpoint", ["search", "semantic-search"])
    @pytest.mark.parametrize(
        ("query", "told"),
        [("", "The query is empty."), ("!?", "There is nothing to search for in “!?”.")],
    )
    def test_an_empty_query_is_told(
        self, address: str, endpoint: str, query: str, told: str
    ) -> None:
        found = ask(address, endpoint, q=query)
        assert found["results"] == []
        assert found["remarks"] == [f"{told} Add a word or a filter."]

    def test_a_section_and_the_sections(self, address: str) -> None:
        page = ask(address, "pages/river.md", section="banks/reeds")
        assert page["text"].strip() == "### Reeds\n\nThey bend."
        whole = ask(address, "pages/hills%2Fpeak.md")
        assert (whole["title"], whole["page_word_count"]) == ("The peak", 4)
        listed = ask(address, "pages/hills/peak.md/sections")
        assert [one["section"] for one in listed["sections"]] == ["The peak"]

    def test_a_note_of_any_name(self, address: str, vault: Path) -> None:
        name = "a #1 & 5%?\n\u00fc.md"
        write(vault, {name: "# Odd\n\nOtters.\n"})
        try:
            assert ask(address, f"pages/{quote(name, safe='')}")["section"] == "Odd"
            listed = ask(address, f"pages/{quote(name, safe='')}/sections")
            assert [one["section"] for one in listed["sections"]] == ["Odd"]
        finally:
            (vault / name).unlink()
            httpx2.post(f"{address}/api/v1/reindex", headers=BEARER, timeout=60)

    def test_a_long_note_in_pages(self, address: str) -> None:
        first = ask(address, "pages/long.md")
        second = ask(address, "pages/long.md", continuation=first["continuation"])
        assert second["line"] > first["end_line"]
        assert get(address, "pages/long.md", continuation="7-x").status_code == 404

    def test_stats(self, address: str, vault: Path) -> None:
        stats = ask(address, "stats")
        assert (stats["vault"], stats["notes"], stats["watching"]) == (str(vault), 7, "live")
        assert ask(address, "health")["status"] == "ok"

    @pytest.mark.parametrize("number", range(len(ESCAPES)), ids=lambda n: repr(ESCAPES[n]))
    def test_no_path_leads_outside(self, address: str, vault: Path, number: int) -> None:
        before = snapshot(vault)
        path = quote(escapes(vault)[number].encode("utf-8", "replace"), safe="")
        answer = get(address, f"pages/{path.replace('.', '%2E')}")
        assert answer.status_code in {404, 422}
        assert SECRET not in answer.text
        assert snapshot(vault) == before


class TestAccess:
    @pytest.mark.parametrize(
        ("path", "headers", "status"),
        [
            ("stats", {}, 401),
            ("stats", {"Authorization": "Bearer wrong"}, 401),
            ("stats", {"Authorization": f"Basic {TOKEN}"}, 401),
            ("stats", {"Authorization": f"bearer  {TOKEN}"}, 200),
            ("nothing/like/it", {}, 401),
            ("nothing/like/it", BEARER, 404),
            ("health", {}, 200),
            ("openapi.json", {}, 200),
            ("health", {"Host": "notes.example"}, 421),
            ("stats", {**BEARER, "Host": "127.0.0.1:1"}, 421),
            ("stats", {**BEARER, "Origin": "https://notes.example"}, 403),
            ("stats", {**BEARER, "Origin": "null"}, 403),
            ("health", {"Origin": "http://localhost"}, 403),
        ],
    )
    def test_needs_the_token_and_this_computer(
        self, address: str, path: str, headers: dict[str, str], status: int
    ) -> None:
        answer = get(address, path, headers)
        assert answer.status_code == status
        if status != 200:
            assert answer.json()["error"].keys() == {"kind", "message", "code"}
            assert answer.json()["error"]["message"]

    def test_white_space_of_other_scripts_is_part_of_a_token(self, address: str) -> None:
        headers = {b"Authorization": f"Bearer {TOKEN}\xa0".encode("latin-1")}
        assert httpx2.get(f"{address}/api/v1/stats", headers=headers).status_code == 401

    def test_its_own_origin_is_allowed(self, address: str) -> None:
        assert get(address, "stats", {**BEARER, "Origin": address}).status_code == 200

    @pytest.mark.parametrize(
        ("params", "told"),
        [
            ({}, "“q” is missing. Give a text of up to 20,000 characters."),
            ({"q": "x", "n": 0}, "“n” is not valid. Give a whole number from 1 to 50."),
            ({"q": "x", "n": "many"}, "“n” is not valid. Give a whole number from 1 to 50."),
            ({"q": "x", "n": "nan"}, "“n” is not valid. Give a whole number from 1 to 50."),
            (
                {"q": "x", "mode": "magic"},
                "“mode” is not valid. Give hybrid or words or meaning.",
            ),
            ({"q": ["x", "y"]}, "“q” is not valid. Give a text of up to 20,000 characters."),
            ({"q": "x", "n": [1, 2]}, "“n” is not valid. Give a whole number from 1 to 50."),
            (
                {"q": "x", "mode": ["words", "meaning"]},
                "“mode” is not valid. Give hybrid or words or meaning.",
            ),
            (
                {"q": "x", "limit": 1},
                "There is no parameter “limit”. Leave it out; the parameters are: vault,",
            ),
            ({"q": "x" * 20_001}, "“q” is not valid. Give a text of up to 20,000 characters."),
            (
                {"q": "x", "tags": [""] * 11},
                "“tags” is not valid. Give a list of up to 10 texts of",
            ),
        ],
    )
    def test_wrong_parameters_are_named(
        self, address: str, params: dict[str, Any], told: str
    ) -> None:
        answer = get(address, "search", **params)
        assert answer.status_code == 422
        assert answer.json()["error"]["kind"] == "wrong_parameters"
        assert answer.json()["error"]["code"].startswith("parameter_")
        assert answer.json()["error"]["message"].startswith(told)

    @pytest.mark.parametrize(("characters", "status"), [(20_000, 200), (20_001, 422)])
    def test_the_longest_parameters_fit_in_any_script(
        self, address: str, characters: int, status: int
    ) -> None:
        filters = {"section": "𠮷" * 1_000, "property": "𠮷" * 1_000, "tags": ["𠮷" * 1_000] * 10}
        wanted = urlencode({"q": "𠮷" * characters, **filters}, doseq=True)
        # httpx2 sends no address of more than 64 KiB.
        with closing(HTTPConnection(address.removeprefix("http://"), timeout=60)) as connection:
            connection.request("GET", f"/api/v1/search?{wanted}", headers=BEARER)
            assert connection.getresponse().status == status

    def test_a_note_is_named_only_once(self, address: str) -> None:
        page = f"{address}/api/v1/pages/river.md"
        answer = httpx2.get(page, headers=BEARER, params={"path": "pond.md"}, timeout=60)
        assert answer.status_code == 422


SCHEMATHESIS = [sys.executable, "-m", "schemathesis.cli", "run", "--no-color"]


NO_SCHEMA_SAYS_WHAT_A_DATE_IS = "".join(
    f"""
[[operations]]
include-path = "/api/v1/{path}"
[operations.checks.positive_data_acceptance]
expected-statuses = ["2xx", "401", "403", "404", "409", "422", "429", "5xx"]
"""
    for path in ("search", "semantic-search")
)
NO_SCHEMA_NAMES_THE_VAULTS = """
[parameters]
"query.vault" = ""
"""
NO_REBUILDING = """
[[operations]]
include-name = "POST /api/v1/reindex"
parameters = { "query.force" = false }
"""


def check(address: str, folder: Path, *words: str) -> None:
    config = NO_SCHEMA_NAMES_THE_VAULTS + NO_SCHEMA_SAYS_WHAT_A_DATE_IS + NO_REBUILDING
    write(folder, {"schemathesis.toml": config})
    done = subprocess.run(
        [*SCHEMATHESIS, f"{address}/api/v1/openapi.json", "-H", f"Authorization: Bearer {TOKEN}",
         "--generation-database=none", "--suppress-health-check=too_slow",
         f"--request-timeout={WAIT_S}", *words],
        cwd=folder, env=environment(folder / "home"), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_the_openapi_document_is_valid() -> None:
    from schemathesis.openapi import from_dict

    from_dict(document("/api/v1", OPERATIONS)).validate()


@pytest.mark.fault("H11")
def test_answers_are_those_of_the_openapi_document(address: str, tmp_path: Path) -> None:
    document = httpx2.get(f"{address}/api/v1/openapi.json", timeout=60).json()
    assert json.dumps(document)
    assert document["openapi"].startswith("3.1")
    check(address, tmp_path, "--phases=fuzzing", "--max-examples=4", "--seed=7")


def test_the_openapi_document_which_needs_no_token_names_no_folder(tmp_path: Path) -> None:
    write(tmp_path, {"therapy/a.md": "# A\n"})
    with listening(["serve", "--vault", str(tmp_path / "therapy")], tmp_path / "home") as address:
        document = httpx2.get(f"{address}/api/v1/openapi.json", timeout=60).text
    assert "semantic-search" in document
    assert "therapy" not in document


@pytest.mark.slow
def test_schemathesis(address: str, tmp_path: Path) -> None:
    check(address, tmp_path, "--max-examples=50")
