import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  attributeOf,
  XmlError,
  XmlScanner,
} from "../../src/registry/deactivations/xml-scanner.ts";

/** The events of a text given in chunks; adjacent texts are joined. */
function told(...pieces: string[]): string[] {
  const events: string[] = [];
  const scanner = new XmlScanner({
    open: (name, attributes) => events.push(`<${name}${attributes}>`),
    close: (name) => events.push(`</${name}>`),
    text(text) {
      if (events.at(-1)?.startsWith("'") === true)
        events.push(`'${(events.pop() ?? "").slice(1)}${text}`);
      else events.push(`'${text}`);
    },
  });
  for (const piece of pieces) scanner.push(piece);
  scanner.end();
  return events;
}

const TEXT = `<?xml version="1.0"?>
<!-- <not/> told --><x:a one="1 > 0" two='"'><b/>x &lt;&amp;&#65;&#x42; y<![CDATA[<c>&amp;]]></x:a>
`;
const EVENTS = [
  `<a one="1 > 0" two='"'>`,
  "<b/>",
  "</b>",
  "'x <&AB y<c>&amp;",
  "</a>",
];

suite("XML", () => {
  test("is read the same wherever it is split", () => {
    assert.deepEqual(told(TEXT), EVENTS);
    assert.deepEqual(told(...TEXT.split("")), EVENTS);
    for (let at = 1; at < TEXT.length; at++)
      assert.deepEqual(told(TEXT.slice(0, at), TEXT.slice(at)), EVENTS);
  });

  test("is refused if it is unfinished, too long or has a document type", () => {
    for (const text of [
      "<a>",
      "<a",
      "</a>",
      "<a><!-- ",
      '<!DOCTYPE a [<!ENTITY x "y">]><a/>',
      `<a b="${"x".repeat(140_000)}"/>`,
    ]) {
      const half = text.length >> 1;
      const pieces = [text.slice(0, half), text.slice(half)];
      assert.throws(() => told(...pieces), XmlError, text.slice(0, 30));
    }
  });

  test("has attributes by their names", () => {
    const attributes = ` r = "A1" t='s' x:r="&quot;" `;
    assert.equal(attributeOf(attributes, "r"), "A1");
    assert.equal(attributeOf(attributes, "t"), "s");
    assert.equal(attributeOf(attributes, "x:r"), '"');
    assert.equal(attributeOf(attributes, "A1"), null);
    assert.equal(attributeOf("", "r"), null);
    assert.equal(attributeOf(" r=A1", "r"), null);
  });
});
