import { PAGE_PATHS } from "../../site/page-paths.ts";
import { SignOutButton } from "../account/sign-out-button.tsx";
import { Link } from "./router.tsx";
import { usePopup } from "./use-popup.ts";
import styles from "./shell.module.css";

/** The signed-in user, links to the account's pages, and sign-out. */
export function AccountMenu({
  email,
  onFollow,
}: {
  readonly email: string;
  /** Called after one of its links was followed. */
  readonly onFollow: () => void;
}) {
  const { button, frame, isOpen, setOpen } = usePopup();

  return (
    <div ref={frame} className={styles.accountMenu}>
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls="account-panel"
        onClick={() => setOpen(!isOpen)}
      >
        Account
      </button>
      <div id="account-panel" className={styles.accountPanel} hidden={!isOpen}>
        <p>
          Signed in as <strong>{email}</strong>
        </p>
        {ENTRIES.map(({ href, text }) => (
          <Link
            key={href}
            href={href}
            onClick={() => setOpen(false)}
            onFollow={onFollow}
          >
            {text}
          </Link>
        ))}
        <SignOutButton
          key={String(isOpen)}
          to={`${PAGE_PATHS["sign-in"]}?notice=signed-out`}
        >
          Sign out
        </SignOutButton>
      </div>
    </div>
  );
}

const ENTRIES = [
  { href: PAGE_PATHS.settings, text: "API keys" },
  { href: PAGE_PATHS.usage, text: "Usage" },
  { href: PAGE_PATHS.plan, text: "Plan" },
  { href: PAGE_PATHS.security, text: "Security" },
] as const;
