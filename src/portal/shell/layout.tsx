import { Tag } from "../components/elements.tsx";
import { useState, type ReactNode } from "react";
import { usePopup } from "../components/popup.tsx";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { DISCLAIMER } from "../../site/portal-config.ts";
import { formatDay } from "../format.ts";
import { useConfig } from "../api/config.ts";
import { publicPath } from "../public-path.ts";
import { Link, useLocation } from "./router.tsx";
import { useSession } from "../api/session.tsx";
import styles from "./shell.module.css";
import { SignOutButton } from "../account/sign-out-button.tsx";

/** The pages of the user's account, as menus list them. */
export const ACCOUNT_PAGES = [
  { href: PAGE_PATHS.settings, text: "API keys" },
  { href: PAGE_PATHS.usage, text: "Usage" },
  { href: PAGE_PATHS.plan, text: "Plan" },
  { href: PAGE_PATHS.security, text: "Security" },
] as const;

const THEME_NAMES: Readonly<Record<Theme, string>> = {
  system: "System",
  light: "Light",
  dark: "Dark",
};

/** Puts the header, footer and notices around every page. */
export function Layout({ children }: { readonly children: ReactNode }) {
  const {
    data_date: dataDate,
    data_warning: warning,
    demo,
    logo,
    name,
  } = useConfig();
  return (
    <>
      <a
        className={styles.skipLink}
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("main")?.focus();
        }}
      >
        Skip to content
      </a>
      <header className={styles.siteHeader}>
        <Link className={styles.siteName} href={PAGE_PATHS.explorer}>
          {logo === null ? (
            name
          ) : (
            <span className={styles.logoFrame}>
              <img src={logo} alt={name} />
            </span>
          )}
        </Link>
        {demo && <Tag look="warning">Demo data</Tag>}
        <Navigation />
      </header>
      {warning !== null && (
        <aside className={styles.siteNotice} aria-label="Data age">
          <p>
            <strong>This data is out of date.</strong>
            {dataDate !== null && ` It goes through ${formatDay(dataDate)}.`}
          </p>
        </aside>
      )}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </>
  );
}

/** Names the data, links whom and what users may look for, and switches the theme. */
function Footer() {
  const config = useConfig();
  const { contact, data_date: dataDate, demo, privacy, source, terms } = config;
  const links = [
    ["Contact", contact],
    ["Privacy", privacy],
    ["Terms", terms],
    ["Status", publicPath("/v1/status")],
  ] as const;
  return (
    <footer className={styles.siteFooter}>
      <p>
        {source === null
          ? "No data is loaded."
          : `${source}${dataDate === null || demo ? "" : `, data through ${formatDay(dataDate)}`}.`}
      </p>
      <p>{DISCLAIMER}</p>
      <ul className={styles.footerLinks}>
        {links.map(
          ([text, href]) =>
            href !== null && (
              <li key={text}>
                <a href={href}>{text}</a>
              </li>
            ),
        )}
        <li>Version {config.version}</li>
      </ul>
      <ThemeSwitch />
    </footer>
  );
}

/** Links the pages; on phones in a menu. */
function Navigation() {
  const { sign_up: hasSignUp } = useConfig();
  const { email } = useSession();
  const { button, frame, isOpen, setOpen } = usePopup();
  const close = () => setOpen(false);
  return (
    <div ref={frame} className={styles.siteMenu}>
      <button
        ref={button}
        type="button"
        className={styles.menuButton}
        aria-expanded={isOpen}
        aria-controls="site-nav"
        onClick={() => setOpen(!isOpen)}
      >
        Menu
      </button>
      <nav
        id="site-nav"
        aria-label="Main"
        className={
          isOpen ? `${styles.siteNav} ${styles.isOpen}` : styles.siteNav
        }
      >
        <NavLink href={PAGE_PATHS.explorer} onFollow={close}>
          Explorer
        </NavLink>
        <NavLink href={PAGE_PATHS.guide} onFollow={close}>
          Guide
        </NavLink>
        <NavLink href={PAGE_PATHS.reference} onFollow={close}>
          Reference
        </NavLink>
        {hasSignUp && (
          <div className={styles.ownPlace}>
            {email === null && (
              <>
                <NavLink href={PAGE_PATHS["sign-in"]} onFollow={close}>
                  Sign in
                </NavLink>
                <NavLink href={PAGE_PATHS["sign-up"]} onFollow={close}>
                  Get an API key
                </NavLink>
              </>
            )}
            {typeof email === "string" && (
              <AccountMenu email={email} onFollow={close} />
            )}
          </div>
        )}
      </nav>
    </div>
  );
}

function NavLink({
  children,
  href,
  onFollow,
}: {
  readonly href: string;
  readonly children: ReactNode;
  readonly onFollow: () => void;
}) {
  const { path } = useLocation();
  const isHere = path === href || (href !== "/" && path.startsWith(`${href}/`));
  return (
    <Link
      href={href}
      aria-current={isHere ? "page" : undefined}
      onFollow={onFollow}
    >
      {children}
    </Link>
  );
}

function ThemeSwitch() {
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <fieldset className={styles.themeSwitch}>
      <legend>Theme</legend>
      {THEMES.map((each) => (
        <label key={each}>
          <input
            type="radio"
            name="theme"
            checked={theme === each}
            onChange={() => {
              setTheme(each);
              chooseTheme(each);
            }}
          />
          {THEME_NAMES[each]}
        </label>
      ))}
    </fieldset>
  );
}

/** Shows the signed-in user, links to the account's pages, and sign-out. */
function AccountMenu({
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
        {ACCOUNT_PAGES.map(({ href, text }) => (
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

/** `system` follows the system's setting. */
export type Theme = "system" | "light" | "dark";

export const THEMES: readonly Theme[] = ["system", "light", "dark"];

const KEY = "theme";

/** Reads the user's earlier choice. */
export function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === kept) ?? "system";
  } catch {
    // The browser may block storage.
    return "system";
  }
}

export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Without storage, the choice lasts until the page is reloaded.
  }
}

export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
