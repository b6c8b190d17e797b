import type { Static } from "typebox";
import type { SearchQuery } from "../../search/query.ts";
import { pageLinks, queryOf } from "./query-string.ts";
import { SearchParameters } from "../../contract/parameters.ts";
import { parameterFailure, queryReader } from "./read-parameters.ts";
import { scopeFailure } from "./scopes.ts";
import type { ReadQuestion } from "./query.ts";

/** Makes the reader of searches by name, place and specialty. */
export function searchReader(): ReadQuestion {
  const readQuery = queryReader(SearchParameters);
  return function readSearch(target) {
    const { value: asked, problems, pairs } = readQuery(queryOf(target));
    if (asked === null) return { failure: parameterFailure(problems) };
    return {
      question: {
        text: JSON.stringify(asked),
        ask(data) {
          const failure = scopeFailure(asked, data.heldDetails);
          if (failure !== null) return { failure };
          return {
            find() {
              const found = data.searchJson(searchQuery(asked));
              const { count, json, total } = found;
              const { page, limit } = asked;
              const lastPage = Math.max(1, Math.ceil(total / limit));
              const place = { page, hasNext: page < lastPage, lastPage };
              return {
                json,
                meta: { count, page, limit, total },
                links: (path) => pageLinks(path, pairs, place),
              };
            },
          };
        },
      },
    };
  };
}

function searchQuery(asked: Static<typeof SearchParameters>): SearchQuery {
  const query: SearchQuery = { limit: asked.limit, page: asked.page };
  if (asked.name !== undefined) query.name = asked.name;
  if (asked.first_name !== undefined) query.firstName = asked.first_name;
  if (asked.last_name !== undefined) query.lastName = asked.last_name;
  if (asked.organization !== undefined) query.organization = asked.organization;
  if (asked.name_scope !== undefined) query.nameScope = asked.name_scope;
  if (asked.entity_type !== undefined) query.entityType = asked.entity_type;
  if (asked.status !== undefined) query.status = asked.status;
  if (asked.city !== undefined) query.city = asked.city;
  if (asked.state !== undefined) query.state = asked.state;
  if (asked.zip !== undefined) query.zip = asked.zip;
  if (asked.taxonomy !== undefined) query.taxonomy = asked.taxonomy;
  if (asked.specialty !== undefined) query.specialty = asked.specialty;
  if (asked.taxonomy_scope !== undefined)
    query.taxonomyScope = asked.taxonomy_scope;
  return query;
}
