import { useMemo } from "react";
import { encode } from "uqr";

/** The quiet zone around the code, in modules. */
const QUIET = 4;
const PIXELS = 220;

/** A QR code, drawn in the page so that its text reaches no other host. */
export function QrCode({
  label,
  text,
}: {
  readonly text: string;
  readonly label: string;
}) {
  const { path, size } = useMemo(() => {
    const { data } = encode(text, { ecc: "M", border: QUIET });
    const dark = data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
    );
    return { path: dark.join(""), size: data.length };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      width={PIXELS}
      height={PIXELS}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
