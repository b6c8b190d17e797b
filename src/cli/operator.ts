import { userInfo } from "node:os";

/** The system's name of whoever runs the program; a number where it has no name, as in many containers. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}
