import { useEffect, useRef } from "react";
import { Link } from "../../shell/router.tsx";
import {
  searchHref,
  withoutParameters,
  type ExplorerSearch,
} from "../explorer-search.ts";
import { filterTexts, type FilterText } from "../search-text.ts";
import { useTaxonomyName } from "../hooks.ts";
import { focusBox } from "./search-box.tsx";
import styles from "./question.module.css";

/** Shows the filters of a search: each can be changed or removed. */
export function Chips({
  onEdit,
  search,
}: {
  readonly search: ExplorerSearch;
  /** Called with the parameter to change. */
  readonly onEdit: (name: string) => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  /** The chip that was removed: its position, and the address without it. */
  const removed = useRef<{ index: number; to: string } | null>(null);
  const filters = filterTexts(search);
  useEffect(() => {
    if (removed.current?.to !== searchHref(search)) return;
    const links = list.current?.querySelectorAll<HTMLElement>("a[aria-label]");
    const next = Math.min(removed.current.index, (links?.length ?? 0) - 1);
    removed.current = null;
    // The focus stays with the chips.
    if (next >= 0) links?.[next]?.focus();
    else focusBox();
  }, [search]);
  if (filters.length === 0) return null;
  return (
    <ul ref={list} className={styles.chips} aria-label="Filters">
      {filters.map((filter, index) => (
        <Chip
          key={filter.names[0]}
          filter={filter}
          search={search}
          onEdit={() => onEdit(fieldOf(filter, search))}
          onRemove={(to) => {
            removed.current = { index, to };
          }}
        />
      ))}
      {filters.length > 1 && (
        <li>
          <Link className={styles.clear} href="/" onFollow={focusBox}>
            Clear all
          </Link>
        </li>
      )}
    </ul>
  );
}

function Chip({
  filter: { label, names, value },
  onEdit,
  onRemove,
  search,
}: {
  readonly search: ExplorerSearch;
  readonly filter: FilterText;
  readonly onEdit: () => void;
  /** Called with the address without it. */
  readonly onRemove: (to: string) => void;
}) {
  const name = useTaxonomyName(names[0] === "taxonomy" ? value : null);
  const text = name ?? value;
  const href = searchHref(withoutParameters(search, names));
  return (
    <li className={styles.chip}>
      <button type="button" className={styles.chipText} onClick={onEdit}>
        <span className="visually-hidden">Change </span>
        <span className="muted">{label}</span>{" "}
        <bdi className={styles.chipValue}>{text}</bdi>
      </button>
      <Link
        className={styles.chipRemove}
        href={href}
        aria-label={`Remove ${label}: ${text}`}
        onClick={() => onRemove(href)}
      >
        <span aria-hidden="true">×</span>
      </Link>
    </li>
  );
}

/** Finds the parameter with a field. */
function fieldOf(
  { names }: FilterText,
  { parameters }: ExplorerSearch,
): string {
  const [first = ""] = names;
  if (first === "taxonomy") return "specialty";
  return first === "zip" && !parameters.has("zip") && names.length > 1
    ? "radius"
    : first;
}
