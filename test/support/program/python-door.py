"""Answers questions with the Python client: a line of JSON for each line of JSON."""

import json
import sys

import provider_directory as directory

client = directory.Client()
INCLUDE = ["all"]


def pages(asked, page, rows):
    given = asked["parameters"]
    if asked["walk"]:
        return {"rows": list(rows(**given))}
    found = page(**given)
    return {"data": found.data, "meta": found.meta}


def changes(asked):
    found = client.changes_since(**asked["parameters"])
    if asked["walk"]:
        return {"rows": list(found)}
    page = next(found.pages())
    return {"data": page.data, "meta": page.meta}


ANSWERS = {
    "record": lambda asked: {"data": client.get(asked["npi"], include=INCLUDE)},
    "batch": lambda asked: {"rows": list(client.lookup_many(asked["npis"], include=INCLUDE))},
    "search": lambda asked: pages(asked, client.search, client.iter_search),
    "nearby": lambda asked: pages(asked, client.nearby, client.iter_nearby),
    "interpret": lambda asked: {"data": client.interpret(asked["parameters"]["q"])},
    "taxonomies": lambda asked: {"rows": list(client.taxonomies(**asked["parameters"]))},
    "changes": changes,
    "export": lambda asked: {"rows": list(client.export(**asked["parameters"]))},
    "download": lambda asked: {"data": str(client.download(asked["name"], asked["folder"]))},
}

for line in sys.stdin:
    question = json.loads(line)
    try:
        answer = ANSWERS[question["ask"]](question)
    except directory.InvalidNpiError:
        answer = {"refused": "no NPI"}
    except directory.ServiceError as error:
        fault = {"status": error.status, "code": error.code, "param": error.param}
        answer = {"refused": {**fault, "message": str(error)}}
    print(json.dumps(answer), flush=True)
