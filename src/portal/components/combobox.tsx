import { useCombobox, type UseComboboxStateChangeOptions } from "downshift";
import { useId, useState, type ComponentProps } from "react";
import { counted } from "../format.ts";
import { described, FieldFrame, type FieldTexts } from "./field.tsx";
import styles from "./components.module.css";

export interface ComboboxOption {
  /** Unique. */
  readonly value: string;
  readonly text: string;
  /** Shown after the text, such as a count. */
  readonly note?: string;
}

/**
 * Suggests options for a text field (ARIA 1.2 combobox with a listbox). The caller keeps the text and provides the
 * options; `onChoose` gets the chosen one.
 */
export function Combobox({
  attributes,
  hint,
  id: givenId,
  isLabelHidden = false,
  label,
  onChange,
  onChoose,
  options,
  placeholder,
  problem,
  value,
}: FieldTexts & {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onChoose: (option: ComboboxOption) => void;
  readonly options: readonly ComboboxOption[];
  readonly placeholder?: string;
  readonly id?: string;
  /** More attributes of the field. */
  readonly attributes?: Pick<
    ComponentProps<"input">,
    "enterKeyHint" | "maxLength" | "name"
  >;
}) {
  const ownId = useId();
  const id = givenId ?? ownId;
  /** The value of the highlighted option. Not its index, because the options may change. */
  const [reached, setReached] = useState<string | null>(null);
  const reachedIndex = options.findIndex((option) => option.value === reached);
  const {
    closeMenu,
    getInputProps,
    getItemProps,
    getMenuProps,
    isOpen,
    openMenu,
  } = useCombobox<ComboboxOption>({
    inputId: id,
    items: [...options],
    itemToKey: (option) => option?.value,
    inputValue: value,
    selectedItem: null,
    highlightedIndex: reachedIndex,
    onHighlightedIndexChange: ({ highlightedIndex }) =>
      setReached(options[highlightedIndex]?.value ?? null),
    onSelectedItemChange: ({ selectedItem }) => {
      if (selectedItem !== null) onChoose(selectedItem);
    },
    stateReducer: staysOpen,
  });
  const isShown = isOpen && options.length > 0;

  return (
    <FieldFrame {...{ hint, id, isLabelHidden, label, problem }}>
      <div className={styles.combobox}>
        <input
          {...getInputProps({
            ...described(id, hint, problem),
            ...attributes,
            autoCapitalize: "none",
            spellCheck: false,
            className: "input",
            placeholder,
            "aria-expanded": isShown,
            // The caller keeps the text, not the library, so that the cursor doesn't jump.
            onChange: ({ currentTarget }) => onChange(currentTarget.value),
            onFocus: openMenu,
            onKeyDown(event) {
              if (event.key === "Escape" && isShown) event.preventDefault();
              if (event.key !== "Enter" || reachedIndex >= 0) return;
              // The library would keep Enter from submitting the form.
              Object.assign(event.nativeEvent, {
                preventDownshiftDefault: true,
              });
              closeMenu();
            },
          })}
        />
        <div
          {...getMenuProps({
            "aria-label": label,
            "aria-labelledby": undefined,
            hidden: !isShown,
            // A list that scrolls would take the focus on Tab, and then close.
            tabIndex: -1,
          })}
        >
          {options.map((option, index) => (
            <div key={option.value} {...getItemProps({ item: option, index })}>
              <span>{option.text}</span>{" "}
              {option.note !== undefined && (
                <span className={styles.note}>{option.note}</span>
              )}
            </div>
          ))}
        </div>
        <span role="status" className="visually-hidden">
          {isShown && counted(options.length, "suggestion")}
        </span>
      </div>
    </FieldFrame>
  );
}

/** Keeps the list open on a click on the field, and selects nothing when the user leaves the field. */
function staysOpen(
  state: { selectedItem: ComboboxOption | null },
  { changes, type }: UseComboboxStateChangeOptions<ComboboxOption>,
) {
  if (type === useCombobox.stateChangeTypes.InputClick)
    return { ...changes, isOpen: true };
  if (type === useCombobox.stateChangeTypes.InputBlur)
    return { ...changes, selectedItem: state.selectedItem };
  return changes;
}
