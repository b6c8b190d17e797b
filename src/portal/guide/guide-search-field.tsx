import { useState } from "react";
import { Field } from "../components/field.tsx";
import { navigate } from "../shell/router.tsx";
import { guideSearchPath } from "./guide-path.ts";
import styles from "./guide-search.module.css";

/** The guide's search field. On a page of the guide, Enter leads to what it finds. */
export function GuideSearchField({
  initial = "",
  onText,
}: {
  readonly initial?: string;
  /** Called with what is typed, where the matches are shown below the field. */
  readonly onText?: (text: string) => void;
}) {
  const [text, setText] = useState(initial);
  return (
    <form
      role="search"
      aria-label="Guide"
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault();
        if (onText === undefined) navigate(guideSearchPath(text.trim()));
      }}
    >
      <Field
        type="search"
        label="Search the guide"
        isLabelHidden
        placeholder="Search the guide"
        value={text}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target: { value } }) => {
          setText(value);
          onText?.(value);
        }}
      />
    </form>
  );
}
