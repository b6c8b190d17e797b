import type { StorePlace } from "../../settings/service-settings.ts";
import { FileStore } from "./file-store.ts";
import { HttpStore } from "./http-store.ts";
import type { ObjectStore } from "./object-store.ts";

/** Opens the store at an `s3:`, `https:`, `http:` or `file:` URL. Only s3 loads Amazon's library. Doesn't connect. */
export async function openStore({
  environment,
  url: address,
}: StorePlace): Promise<ObjectStore> {
  const url = new URL(address);
  if (url.protocol === "file:") return new FileStore(url);
  if (url.protocol !== "s3:") return new HttpStore(url, environment.proxy);
  const { S3Store } = await import("./s3-store.ts");
  return new S3Store(url, environment);
}
