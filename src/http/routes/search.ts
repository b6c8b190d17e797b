import type { FastifyInstance } from "fastify";
import type { Static } from "typebox";
import type { SearchQuery } from "../../search/query.ts";
import { admit } from "../admission.ts";
import { answerBody } from "../answer-body.ts";
import { questionOf } from "../conditional.ts";
import type { AnswerFromData } from "../data-answer.ts";
import type { HttpDependencies } from "../deps.ts";
import type { Refuse } from "../failure.ts";
import { pageLinks } from "../page-links.ts";
import { SearchParameters } from "../parameters.ts";
import { queryOf } from "../query-string.ts";
import { parameterFailure, queryReader } from "../read-parameters.ts";
import { scopeFailure } from "../scopes.ts";

const PATH = "/v1/providers/search";

/** `GET /v1/providers/search`: providers by name, place and specialty. */
export function addSearch(
  app: FastifyInstance,
  deps: HttpDependencies,
  refuse: Refuse,
  answerFromData: AnswerFromData,
): void {
  const readQuery = queryReader(SearchParameters);
  const linkPath = `${deps.publicUrl ?? ""}${PATH}`;
  app.get(PATH, (request, reply) => {
    const { value: asked, problems, pairs } = readQuery(queryOf(request.url));
    if (asked === null)
      return refuse(request, reply, parameterFailure(problems));

    const admission = admit(deps, request);
    if (admission.status === "refused")
      return refuse(request, reply, admission.failure);

    const lacking = scopeFailure(asked, admission.data.heldDetails);
    if (lacking !== null) return refuse(request, reply, lacking);

    const question = questionOf(asked);
    return answerFromData(request, reply, admission, question, () => {
      const { count, json, total } = admission.data.searchJson(
        searchQuery(asked),
      );
      const { page, limit } = asked;
      const meta = { count, page, limit, total };
      const lastPage = Math.max(1, Math.ceil(total / limit));
      const place = { page, hasNext: page < lastPage, lastPage };
      return {
        body: answerBody(json, meta),
        headers: ["link", pageLinks(linkPath, pairs, place)],
      };
    });
  });
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
