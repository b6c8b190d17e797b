import { defineConfig } from "vite";

/** Makes one module of the client: a page loads it with one request. */
export default defineConfig({
  publicDir: false,
  logLevel: "warn",
  build: {
    target: "es2022",
    minify: false,
    lib: { entry: "src/index.ts", formats: ["es"], fileName: "index" },
    rolldownOptions: { output: { comments: false } },
  },
});
