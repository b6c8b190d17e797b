import {
  useEffect,
  useId,
  useState,
  type KeyboardEvent,
  type MouseEvent,
} from "react";
import { described, FieldFrame, type FieldTexts } from "./field.tsx";

export interface ComboboxOption {
  /** Differs between any two. */
  readonly value: string;
  readonly text: string;
  /** What stands behind it, such as a count. */
  readonly note?: string;
}

/**
 * A text field that suggests (ARIA 1.2, combobox with a listbox). The caller keeps the text and finds the options for it;
 * `onChoose` is told of a suggestion that was taken.
 */
export function Combobox({
  hint,
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
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  /** The value of the option that the keys have reached: options may change below it. */
  const [reached, setReached] = useState<string | null>(null);
  const isShown = isOpen && options.length > 0;
  const active = isShown
    ? options.findIndex((option) => option.value === reached)
    : -1;
  const current = options[active];
  useEffect(() => {
    if (active >= 0)
      document
        .getElementById(`${id}-${active}`)
        ?.scrollIntoView({ block: "nearest" });
  }, [active, id]);

  function choose(option: ComboboxOption): void {
    close();
    onChoose(option);
  }

  function close(): void {
    setOpen(false);
    setReached(null);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      if (isShown) event.preventDefault();
      close();
    } else if (event.key === "Enter" && current !== undefined) {
      event.preventDefault();
      choose(current);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setOpen(true);
      const step = event.key === "ArrowDown" ? 1 : -1;
      // One place beyond the options is the text itself.
      const places = options.length + 1;
      const next = ((active + 1 + step + places) % places) - 1;
      setReached(options[next]?.value ?? null);
    }
  }

  /** What a pointer does with an option; keys are the field's, which keeps the focus. */
  function pointing(option: ComboboxOption) {
    return {
      onMouseDown: (event: MouseEvent) => event.preventDefault(),
      // Not as soon as it is touched: a finger may scroll the list.
      onClick: () => choose(option),
    };
  }

  return (
    <FieldFrame {...{ hint, id, isLabelHidden, label, problem }}>
      <div className="combobox">
        <input
          {...described(id, hint, problem)}
          className="input"
          type="text"
          role="combobox"
          autoComplete="off"
          aria-autocomplete="list"
          aria-expanded={isShown}
          aria-controls={`${id}-list`}
          aria-activedescendant={
            current === undefined ? undefined : `${id}-${active}`
          }
          placeholder={placeholder}
          value={value}
          onChange={(event) => {
            setOpen(true);
            setReached(null);
            onChange(event.target.value);
          }}
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          onBlur={close}
          onKeyDown={onKeyDown}
        />
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label={label}
          hidden={!isShown}
          // A list that scrolls would be a step of the keyboard, which it does not outlive.
          tabIndex={-1}
        >
          {options.map((option, index) => (
            <div
              key={option.value}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              {...pointing(option)}
            >
              <span>{option.text}</span>
              {option.note !== undefined && (
                <span className="note">{option.note}</span>
              )}
            </div>
          ))}
        </div>
      </div>
    </FieldFrame>
  );
}
