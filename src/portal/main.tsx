import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/primitives.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { reloadEmptied } from "./api/session-broadcast.ts";
import { restoreScrollPositions } from "./shell/scroll-restoration.ts";
import { applyTheme, chosenTheme } from "./shell/layout.tsx";

applyTheme(chosenTheme());
restoreScrollPositions();
reloadEmptied();
const root = document.getElementById("root");
if (root === null) throw new Error("The page has no #root element.");
// What the service says where this script is not found.
root.replaceChildren();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
