import { useConfig } from "../api/config.ts";

/** Names whom users can ask, as a link if the installation has a contact. */
export function Operator() {
  const { contact } = useConfig();
  const text = "the operator of this service";
  return contact === null ? text : <a href={contact}>{text}</a>;
}
