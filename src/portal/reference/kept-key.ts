import { useState } from "react";
import { useSession } from "../api/session.tsx";

/** The key that was pasted or made, and who was signed in then. It is gone when the page is loaded again. */
let kept: { readonly key: string; readonly email: string | null } = {
  key: "",
  email: null,
};

/** The key with which requests are tried. It stays while the reader goes to other pages, unless somebody else signs in. */
export function useKeptKey(): readonly [string, (key: string) => void] {
  const { email = null } = useSession();
  const isOthers = kept.email !== null && kept.email !== email;
  const [key, setKey] = useState(isOthers ? "" : kept.key);
  function keep(next: string): void {
    kept = { key: next, email };
    setKey(next);
  }
  return [key, keep];
}
