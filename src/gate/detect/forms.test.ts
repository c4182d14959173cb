import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../core/base/json.js";
import { cut, scan, visitJson } from "./scan.js";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const ALNUM = [...LOWER, ...LOWER.toUpperCase(), ...DIGITS];
const drawn = (units: readonly string[], minLength: number, maxLength = minLength) =>
  fc.string({ unit: fc.constantFrom(...units), minLength, maxLength });
/** Drawn by chance, as keys are: no draw of one byte again and again. */
const random = (length: number) =>
  fc.integer({ min: 1, max: 0x7fffffff }).map((seed) => {
    let state = seed;
    return Buffer.from(
      Array.from({ length }, () => {
        state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
        return (state >> 16) & 255;
      }),
    );
  });
const letters = (buffer: Buffer) => [...buffer].map((byte) => ALNUM[byte % ALNUM.length]).join("");
const b64 = (buffer: Buffer) => buffer.toString("base64");
const lines = (text: string, width: number) =>
  (text.match(new RegExp(`.{1,${width}}`, "g")) ?? []).join("\n");

const grave = (text: string) => scan(text).filter(({ kind }) => kind === "secret" || kind === "password");
const kept = (text: string) => cut(text, scan(text), () => true);

/** A made-up token: nothing of the kind was ever issued. */
const token = random(36).map((key) => `ghp_${letters(key)}`);
const each = (text: string, write: (code: number) => string) =>
  [...text].map((character) => write(character.charCodeAt(0))).join("");
const hex = (code: number, length = 2) => code.toString(16).padStart(length, "0");

const FORMS: Readonly<Record<string, (text: string) => string>> = {
  hex: (text) => Buffer.from(text).toString("hex"),
  "bytes in hex": (text) => each(text, (code) => `0x${hex(code)}, `).slice(0, -2),
  percent: (text) => each(text, (code) => `%${hex(code)}`),
  "\\u": (text) => each(text, (code) => `\\u${hex(code, 4)}`),
  "\\u{}": (text) => each(text, (code) => `\\u{${hex(code)}}`),
  "\\x": (text) => each(text, (code) => `\\x${hex(code)}`),
  octal: (text) => each(text, (code) => `\\${code.toString(8).padStart(3, "0")}`),
  entities: (text) => each(text, (code) => `&#${code};`),
  "entities in hex": (text) => each(text, (code) => `&#x${hex(code)};`),
  base64: (text) => Buffer.from(text).toString("base64"),
  base64url: (text) => Buffer.from(text).toString("base64url"),
  "base64 of UTF-16": (text) => Buffer.from(text, "utf16le").toString("base64"),
  "blanks between": (text) => [...text].join(" "),
  "dots between": (text) => [...text].join("."),
  "groups of four": (text) => (text.match(/.{1,4}/g) ?? []).join(" "),
  "zero-width": (text) => [...text].join("\u200b"),
  "full-width": (text) => each(text, (code) => String.fromCharCode(code + 0xfee0)),
};
const NAMES = Object.keys(FORMS);

describe("A700 no form of writing hides what is refused plainly", () => {
  it.each(NAMES)("A700 %s", (name) => {
    fc.assert(
      fc.property(token, (secret) => {
        const text = `see: ${FORMS[name]?.(secret)} (today)`;
        expect(grave(text), text).toHaveLength(1);
        expect(kept(text)).toBe("see: [redacted:secret] (today)");
      }),
      { numRuns: 20 },
    );
  });
  it("A700 nor does one form within another", () => {
    // What was spelled out and then spelled out again could be put together in many ways, as could bytes with blanks.
    const encodings = NAMES.slice(0, 12).filter((name) => name !== "bytes in hex");
    fc.assert(
      fc.property(token, fc.constantFrom(...encodings), fc.constantFrom(...NAMES), (secret, inner, outer) => {
        const text = `see: ${FORMS[outer]?.(FORMS[inner]?.(secret) ?? "")} (today)`;
        const found = grave(text);
        expect(found.length, `${inner} in ${outer}`).toBeGreaterThan(0);
        expect(scan(kept(text))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
  it("A700 a named password and a card are found in other forms too", () => {
    for (const plain of ["password=Kettle71!", "card 4539 5787 6362 1486"])
      for (const name of NAMES.slice(0, 12)) expect(scan(FORMS[name]?.(plain) ?? ""), name).not.toEqual([]);
  });
});

describe("A701 what is cut out is the whole secret and nothing beside it, in whatever form it stood", () => {
  it("A701 half of it escaped, anywhere in a line of ordinary words", () => {
    const words = fc.constantFrom("", "tea is warm ", "caf\\u00e9, ", "50%25 of it ", "a &amp; b ", "ａｂ ");
    fc.assert(
      fc.property(token, words, words, fc.func(fc.boolean()), (secret, before, after, isEscaped) => {
        const written = [...secret].map((c, at) => (isEscaped(at) ? `%${hex(c.charCodeAt(0))}` : c)).join("");
        expect(kept(`${before}<${written}> ${after}`)).toBe(`${before}<[redacted:secret]> ${after}`);
      }),
      { numRuns: 100 },
    );
  });
  it("A701 what is left holds nothing more", () => {
    const parts = fc.oneof(
      token,
      fc.string(),
      fc.constantFrom("password: ", "%", "\\u00", " ", "\n", "key="),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(parts, fc.constantFrom(...NAMES, "plain")), { maxLength: 6 }),
        (given) => {
          const text = given.map(([part, name]) => FORMS[name]?.(part) ?? part).join(" ");
          expect(kept(text).match(/ghp_[A-Za-z0-9]{36}/)).toBeNull();
        },
      ),
    );
  });
});

const MAGIC = Buffer.from("openssh-key-v1\0\0\0\0\x04none\0\0\0\x04none\0\0\0\0\0\0\0\x01", "latin1");
const der = (start: string, length: number) =>
  random(length).map((rest) => b64(Buffer.concat([Buffer.from(start, "hex"), rest])));
const cookie = random(32).map((key) => letters(key));

/** A text with one secret of the family, and the secret. */
const FAMILIES: Readonly<Record<string, fc.Arbitrary<readonly [text: string, secret: string]>>> = {
  "the body of an OpenSSH key": random(300).map((key) => {
    const body = lines(b64(Buffer.concat([MAGIC, key])), 70);
    return [`first\n${body}\n\nlast`, body];
  }),
  "lines of an OpenSSH key": random(210).map((key) => [
    `first\n${lines(b64(key), 70)}\n\nlast`,
    lines(b64(key), 70),
  ]),
  "the body of an RSA key": der("308204a40201000282010100", 1180).map((body) => [
    `x\n${lines(body, 64)}\n\ny`,
    lines(body, 64),
  ]),
  "the body of a key of a curve": der("302e020100300506032b657004220420", 32).map((body) => [
    `it is ${body} there`,
    body,
  ]),
  "a private key in hex": random(32).map((key) => [
    `the private key is ${key.toString("hex")}`,
    key.toString("hex"),
  ]),
  "a signing key in base64": random(32).map((key) => [`signing key: ${b64(key)}`, b64(key)]),
  "a token of a bot": fc.tuple(fc.integer({ min: 1e8, max: 9e8 }), random(44)).map(([id, key]) => {
    const made = `${Buffer.from(`${id}${id}`).toString("base64url")}.${letters(key.subarray(0, 6))}.${letters(key.subarray(6))}`;
    return [`bot ${made} runs`, made];
  }),
  "a session in a header": cookie.map((value) => [`Cookie: theme=dark; my_login=${value}; lang=en`, value]),
  "a session by its name": cookie.map((value) => [`it had PHPSESSID=${value} then`, value]),
  "a signature of Azure": random(32).map((key) => {
    const sig = encodeURIComponent(b64(key));
    return [`https://x.example/a?sv=2023-11-03&sig=${sig}&se=2031`, sig];
  }),
  "a signature of AWS": random(32).map((key) => [
    `https://x.example/a?X-Amz-Signature=${key.toString("hex")}`,
    key.toString("hex"),
  ]),
  "an address with a password and no name": cookie.map((value) => [`redis://:${value}@cache:6379`, value]),
  "an API key that is said": drawn([...LOWER, ...DIGITS], 16, 24)
    .filter((key) => key.replace(/\D/g, "").length > 3 && /[a-z]{2}/.test(key) && new Set(key).size > 9)
    .map((key) => [`The API key is ${key}.`, key]),
};

describe("A702 keys, tokens, cookies and signatures are found by their shape (B19, B20)", () => {
  it.each(Object.entries(FAMILIES))("A702 %s", (_, family) => {
    fc.assert(
      fc.property(family, ([text, secret]) => {
        expect(grave(text), text).toHaveLength(1);
        expect(kept(text)).toBe(text.replace(secret, "[redacted:secret]"));
      }),
      { numRuns: 25 },
    );
  });
  it("A702 checksums, ids, public keys and pictures are none", () => {
    const none: readonly ((key: Buffer) => string)[] = [
      (key) => `commit ${key.toString("hex").slice(0, 40)}`,
      (key) => `sha256:${key.toString("hex").slice(0, 64)}`,
      (key) => `"integrity": "sha512-${b64(key.subarray(0, 64))}"`,
      (key) => `<img src="data:image/png;base64,iVBORw0KGgo${b64(key)}">`,
      (key) =>
        `-----BEGIN CERTIFICATE-----\nMIIDazCCAlOgAwIBAgIU${lines(b64(key), 64)}\n-----END CERTIFICATE-----`,
      (key) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${b64(key.subarray(0, 32))} ada@example`,
      (key) => `Cookie: theme=dark; width=${key[0]}; lang=en`,
      (key) => `https://x.example/${key.toString("hex").slice(0, 16)}?page=${key[0]}&sig=none`,
    ];
    fc.assert(
      fc.property(random(200), (key) => {
        for (const make of none) expect(grave(make(key)), make(key)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});

const WORDS = "orchard lantern gravel velvet thunder biscuit meadow walnut harbor glacier saddle mango".split(
  " ",
);
const word = fc.constantFrom(...WORDS);
const GIVEN = [
  "password: *",
  "Wifi password: *",
  "Passwort: *",
  "contraseña: *",
  "mot de passe : *",
  "DB_PASSWORD=*",
];
const GIVEN_TOO = [
  "Das Passwort lautet *.",
  'the password is "*"',
  "пароль: *",
  "密码: *",
  "password: * for guests",
];
const SAID = [
  "the wifi password is *",
  "Das Passwort ist *",
  "la contraseña es *",
  "le mot de passe est *",
  "hasło to *",
];

describe("A703 a password that people choose is told from what they say of one", () => {
  it.each([...GIVEN, ...GIVEN_TOO])("A703 one word: %s", (said) => {
    for (const one of WORDS)
      expect(kept(said.replace("*", one))).toBe(said.replace("*", "[redacted:password]"));
  });
  it.each([...GIVEN, ...GIVEN_TOO, ...SAID])("A703 words strung together: %s", (said) => {
    fc.assert(
      fc.property(fc.tuple(word, word, word), fc.constantFrom("-", "_", "."), (three, sign) => {
        fc.pre(new Set(three).size === 3 && (sign !== "." || !/[.]$/.test(said)));
        const text = said.replace("*", three.join(sign === "." ? "-" : sign));
        expect(grave(text), text).toHaveLength(1);
      }),
      { numRuns: 20 },
    );
  });
  it.each(["wifi password is correct-horse-battery", "password: river-private-lantern"])(
    "A703 one word in three that says something of passwords does not undo the others: %s",
    (text) => expect(grave(text)).toHaveLength(1),
  );
  it.each([
    "password: stored-encrypted-vault",
    "the password is minimum-length-twelve",
    "the password is required",
    "password: see vault",
    "API key is stored in 1Password",
    "Passwort ist abgelaufen",
    "the password policy is strict",
    "Password: optional",
    "password: string",
    "the password is state-of-the-art",
    "The password is easy-to-guess",
    "password: ask Maria",
    "la contraseña es incorrecta",
    "Mot de passe : oublié",
    "пароль устарел",
    "密码是必填项",
    "パスワードは8文字以上です",
    "password = getpass()",
    "def login(user, password):",
    "The token is refreshed every 15 minutes",
    "The private key is stored in an HSM",
    "You can pass a string to `stdin`",
  ])("A703 nothing in: %s", (text) => expect(scan(text)).toEqual([]));
});

describe("A704 a field that is called a password holds one", () => {
  const cleaned = (value: Json): Json =>
    visitJson(value, (text, findings) => cut(text, findings, () => true));
  it.each<[Json, Json]>([
    [{ password: "lantern" }, { password: "[redacted:password]" }],
    [{ wifi: { Passwort: "lantern" } }, { wifi: { Passwort: "[redacted:password]" } }],
    [{ password: ["lantern", "meadow"] }, { password: ["[redacted:password]", "[redacted:password]"] }],
    [{ password: "required" }, { password: "required" }],
    [
      { password: ["required", 3], hint: "lantern" },
      { password: ["required", 3], hint: "lantern" },
    ],
  ])("A704 %j", (given, expected) => expect(cleaned(given)).toEqual(expected));
});
