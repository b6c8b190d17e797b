import { useEffect, useRef, useState, type ReactNode } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { Popup } from "../../components/popup.tsx";
import { Link } from "../../shell/router.tsx";
import {
  searchHref,
  withoutParameters,
  type ExplorerSearch,
} from "../explorer-search.ts";
import { IS_PHONE, useMedia, useTaxonomyName } from "../hooks.ts";
import { filterTexts, type FilterText } from "../search-text.ts";
import { focusBox } from "./search-box.tsx";
import styles from "./question.module.css";

/** The chip whose filter is removed or changed: its position, and the address that follows; null for any. */
interface Left {
  readonly index: number;
  readonly to: string | null;
}

/** Renders the form of a chip's fields. `onDone` closes it. */
export type RenderFields = (
  names: readonly string[],
  onDone: () => void,
) => ReactNode;

/** Shows the filters of a search: each can be changed in a small panel, or removed. */
export function Chips({
  renderFields,
  search,
}: {
  readonly search: ExplorerSearch;
  readonly renderFields: RenderFields;
}) {
  const list = useRef<HTMLUListElement>(null);
  const left = useRef<Left | null>(null);
  const filters = filterTexts(search);
  useEffect(() => {
    if (left.current === null) return;
    const { index, to } = left.current;
    if (to !== null && to !== searchHref(search)) return;
    left.current = null;
    if (to === null && document.activeElement !== document.body) return;
    const links = list.current?.querySelectorAll<HTMLElement>("a[aria-label]");
    const next = Math.min(index, (links?.length ?? 0) - 1);
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
          renderFields={renderFields}
          onLeave={(to) => {
            left.current = { index, to };
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
  onLeave,
  renderFields,
  search,
}: {
  readonly search: ExplorerSearch;
  readonly filter: FilterText;
  readonly renderFields: RenderFields;
  /** Called before the filter is removed, with the address without it, or changed, with null. */
  readonly onLeave: (to: string | null) => void;
}) {
  const name = useTaxonomyName(names[0] === "taxonomy" ? value : null);
  const isPhone = useMedia(IS_PHONE);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const text = name ?? value;
  const href = searchHref(withoutParameters(search, names));
  const content = (
    <>
      <span className="visually-hidden">Change </span>
      <span className="muted">{label}</span>{" "}
      <bdi className={styles.chipValue}>{text}</bdi>
    </>
  );
  const fields = (close: () => void) =>
    renderFields(fieldsOf(names), () => {
      onLeave(null);
      close();
    });
  return (
    <li className={styles.chip}>
      {isPhone ? (
        <>
          <button
            type="button"
            className={styles.chipText}
            aria-haspopup="dialog"
            onClick={() => setSheetOpen(true)}
          >
            {content}
          </button>
          <Dialog
            title={label}
            isSheet
            isOpen={isSheetOpen}
            onClose={() => setSheetOpen(false)}
          >
            {fields(() => setSheetOpen(false))}
          </Dialog>
        </>
      ) : (
        <Popup className={styles.chipText} label={content}>
          {fields}
        </Popup>
      )}
      <Link
        className={styles.chipRemove}
        href={href}
        aria-label={`Remove ${label}: ${text}`}
        onClick={() => onLeave(href)}
      >
        <span aria-hidden="true">×</span>
      </Link>
    </li>
  );
}

/** Returns the fields that change parameters. */
function fieldsOf([first = "", ...others]: readonly string[]): string[] {
  if (others.includes("radius")) return ["zip", "radius"];
  if (first === "taxonomy") return ["specialty"];
  return [first.endsWith("_scope") ? "scopes" : first];
}
