import { expect, it } from "vitest";
import { isWrittenOtherwise, removeTable, setTable, tableLines } from "./toml.js";

const NAME = ["mcp_servers", "palimpsest"];
const LINES = ['command = "pal"', 'args = ["mcp"]'];
const OURS = `[mcp_servers.palimpsest]\n${LINES.join("\n")}\n`;

const FILE = `# my settings
model = "o9" # the best
notice = """
[mcp_servers.palimpsest]
not a table"""
list = [
  ["a"],
  [ "b" ], # nested
]

# servers
[mcp_servers.other]
command = 'x'

# the last
[tui]
theme = "dark"
`;

it("CP43 a table is added at the end, and taking it out gives the very bytes back", () => {
  expect(setTable(FILE, NAME, LINES)).toBe(`${FILE}\n${OURS}`);
  expect(removeTable(`${FILE}\n${OURS}`, NAME)).toBe(FILE);
  expect(setTable("", NAME, LINES)).toBe(OURS);
  expect(setTable(setTable(FILE, NAME, LINES), NAME, LINES)).toBe(`${FILE}\n${OURS}`);
  expect(removeTable(FILE, NAME)).toBe(FILE);
});

it("CP43 a table in the middle is replaced with those below it; comments of others stay", () => {
  const text = FILE.replace(
    "# the last",
    '[ mcp_servers . "palimpsest" ] # ours\ncommand = "old"\n\n[mcp_servers.palimpsest.env]\nX = "1"\n\n# the last',
  );
  expect(tableLines(text, NAME)).toContain('command = "old"');
  expect(setTable(text, NAME, LINES)).toBe(FILE.replace("# the last", `${OURS}\n# the last`));
  expect(removeTable(text, NAME)).toBe(FILE);
});

it("CP43 line ends stay what they are", () => {
  const text = setTable(FILE.replaceAll("\n", "\r\n"), NAME, LINES);
  expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
});

it.each([
  ['mcp_servers = { palimpsest = { command = "x" } }\n', true],
  ['[mcp_servers]\npalimpsest = { command = "x" }\n', true],
  ['mcp_servers.palimpsest.command = "x"\n', true],
  ['[mcp_servers]\nother = { command = "x" }\n', false],
  ["[other]\nmcp_servers = 1\n", false],
  [`${FILE}\n${OURS}`, false],
])("CP44 another form of our table is noticed: %j", (text, expected) => {
  expect(isWrittenOtherwise(text, NAME)).toBe(expected);
});
