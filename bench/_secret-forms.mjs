// Made-up secrets by family, each drawn anew from a seed: nothing of the kind was ever issued. What the tests of the gate
// draw comes from other seeds and other sentences, so that these families measure and are not learned by heart.

/** mulberry32: enough chance for a sample. */
export function chance(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const ALNUM = `${LOWER}${LOWER.toUpperCase()}0123456789`;
const UPPER = `${LOWER.toUpperCase()}0123456789`;
const URL64 = `${ALNUM}-_`;
const HEX = "0123456789abcdef";

export const drawing = (random) => {
  const int = (from, to) => from + Math.floor(random() * (to - from + 1));
  const one = (list) => list[int(0, list.length - 1)];
  const text = (alphabet, length) =>
    Array.from({ length }, () => alphabet[int(0, alphabet.length - 1)]).join("");
  const bytes = (length) => Buffer.from(Array.from({ length }, () => int(0, 255)));
  return { int, one, text, bytes, hex: (length) => bytes(length).toString("hex") };
};

const wrapped = (text, width) => text.match(new RegExp(`.{1,${width}}`, "g")).join("\n");
const THINGS =
  "orchard lantern gravel velvet thunder biscuit meadow copper walnut harbor pepper glacier tulip saddle mango rocket pebble candle falcon button".split(
    " ",
  );
const capital = (word) => word[0].toUpperCase() + word.slice(1);

/** Bytes a private key begins with when written as DER, and how many follow. */
const DER = [
  ["308204a40201000282010100", 1180],
  ["308204bd020100300d06092a864886f70d0101010500048204a7", 1190],
  ["30770201010420", 112],
  ["308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420", 104],
  ["302e020100300506032b657004220420", 32],
  ["308209290201000282020100", 2330],
];

const MAGIC = Buffer.from("openssh-key-v1\0\0\0\0\x04none\0\0\0\x04none\0\0\0\0\0\0\0\x01\0\0\0", "latin1");
const openssh = ({ bytes, int }) => Buffer.concat([MAGIC, bytes(int(220, 900))]).toString("base64");

/** Tokens that tell by how they begin. */
export const issued = ({ text, one, hex, int }) =>
  one([
    () => `gh${one("pousr".split(""))}_${text(ALNUM, 36)}`,
    () => `github_pat_${text(ALNUM, 22)}_${text(ALNUM, 59)}`,
    () => `glpat-${text(URL64, 20)}`,
    () => `xoxb-${int(1e11, 9e11)}-${int(1e11, 9e11)}-${text(ALNUM, 24)}`,
    () => `AKIA${text(`${LOWER.toUpperCase()}234567`, 16)}`,
    () => `AIza${text(URL64, 35)}`,
    () => `sk_live_${text(ALNUM, 24)}`,
    () => `npm_${text(ALNUM, 36)}`,
    () => `pypi-AgEIcHlwaS5vcmc${text(URL64, 60)}`,
    () => `sk-proj-${text(ALNUM, 48)}`,
    () => `sk-ant-api03-${text(URL64, 90)}`,
    () => `SG.${text(URL64, 22)}.${text(URL64, 43)}`,
    () => `hf_${text(LOWER + LOWER.toUpperCase(), 34)}`,
    () => `dop_v1_${hex(32)}`,
    () => `shpat_${hex(16)}`,
    () => `whsec_${text(ALNUM, 32)}`,
    () => `EAACEdEose0cBA${text(ALNUM, 90)}`,
    () => `ATATT3xFfGF0${text(URL64, 170)}`,
    () => `${int(1e8, 9e9)}:AA${text(URL64, 33)}`,
  ])();

const word = ({ one }) => one(THINGS);
/** Passwords as people choose them. */
const chosen = (draw) =>
  draw.one([
    () => `${word(draw)}-${word(draw)}-${word(draw)}`,
    () => `${capital(word(draw))}${capital(word(draw))}${draw.int(1, 99)}`,
    () => `${word(draw)}${draw.int(10, 9999)}`,
    () => `${capital(word(draw))}${draw.one("!#$%".split(""))}${draw.int(1, 99)}`,
    () => `${word(draw)}_${word(draw)}_${word(draw)}_${word(draw)}`,
  ])();

const SAID = [
  (p) => `the wifi password is ${p}`,
  (p) => `Password: ${p}`,
  (p) => `The password for the guest network is ${p}.`,
  (p) => `my netflix pw is ${p}`,
  (p) => `pwd = ${p}`,
  (p) => `the passphrase of the backup disk: ${p}`,
  (p) => `Das WLAN-Passwort ist ${p}`,
  (p) => `Das Kennwort lautet ${p}.`,
  (p) => `la contraseña del wifi es ${p}`,
  (p) => `le mot de passe du serveur est ${p}`,
  (p) => `Mot de passe : ${p}`,
  (p) => `a senha do roteador é ${p}`,
  (p) => `la password del router è ${p}`,
  (p) => `het wachtwoord is ${p}`,
  (p) => `hasło do wifi to ${p}`,
  (p) => `пароль от почты: ${p}`,
  (p) => `路由器的密码是${p}`,
  (p) => `パスワードは${p}です`,
  (p) => `와이파이 비밀번호는 ${p}`,
];
const ALONE = [
  (p) => `password: ${p}`,
  (p) => `Wifi password: ${p}`,
  (p) => `Passwort: ${p}`,
  (p) => `contraseña: ${p}`,
  (p) => `mot de passe : ${p}`,
  (p) => `DB_PASSWORD=${p}`,
  (p) => `the password is "${p}"`,
  (p) => `user: mia\npassword: ${p}\n`,
  (p) => `Das Passwort lautet ${p}`,
];
const KEYS = [
  (k) => `The API key is ${k}`,
  (k) => `my api key for the weather service is ${k}.`,
  (k) => `the access token is ${k}`,
  (k) => `use the secret ${k} for now`,
  (k) => `API key: ${k}`,
  (k) => `Der API-Schlüssel ist ${k}`,
  (k) => `la clave de API es ${k}`,
  (k) => `la clé API est ${k}`,
];
const PRIVATE = [
  (k) => `private key: ${k}`,
  (k) => `The private key of the wallet is ${k}`,
  (k) => `PRIVATE_KEY=${k}`,
  (k) => `my signing key is ${k}.`,
  (k) => `the encryption key for backups: ${k}`,
  (k) => `Der private Schlüssel ist ${k}`,
  (k) => `const privateKey = "${k}";`,
];

const b64 = ({ bytes }, length) => bytes(length).toString("base64");
const query = encodeURIComponent;
const SCHEMES = ["postgres", "mongodb+srv", "mysql", "redis", "amqps", "mssql", "https", "ftp", "smtp"];

/** name → a text that holds one secret, and the secret. */
export const FAMILIES = {
  "OpenSSH body, whole": (draw) => {
    const body = openssh(draw);
    return [`key:\n${draw.one([wrapped(body, 70), body])}\n`, body.slice(60, 90)];
  },
  "OpenSSH body, lines of the middle": (draw) => {
    const lines = wrapped(openssh(draw), 70).split("\n");
    const part = lines.slice(2, -1);
    return [`the rest:\n${part.join("\n")}\n`, part[0].slice(10, 50)];
  },
  "PEM body without its header": (draw) => {
    const [start, rest] = draw.one(DER);
    const body = Buffer.concat([Buffer.from(start, "hex"), draw.bytes(rest)]).toString("base64");
    return [`here it is\n${draw.one([wrapped(body, 64), body])}`, body.slice(24, 60)];
  },
  "hex private key": (draw) => {
    const key = draw.one(["", "0x"]) + draw.hex(32);
    return [draw.one(PRIVATE)(key), key];
  },
  "base64 private key": (draw) => {
    const key = b64(draw, draw.one([32, 48, 64]));
    return [draw.one(PRIVATE)(key), key.replace(/=+$/, "")];
  },
  "Discord token": (draw) => {
    const id = Buffer.from(String(draw.int(1e8, 9e8)) + draw.int(1e8, 9e8 + 9))
      .toString("base64")
      .replace(/=/g, "");
    const token = draw.one([
      `${id}.${draw.text(URL64, 6)}.${draw.text(URL64, draw.one([27, 38]))}`,
      `mfa.${draw.text(URL64, 84)}`,
    ]);
    return [draw.one([`bot ${token}`, `client.login("${token}")`, `it is ${token}.`]), token];
  },
  "session cookie": (draw) => {
    const name = draw.one([
      "sessionid",
      "PHPSESSID",
      "JSESSIONID",
      "connect.sid",
      "session",
      "_app_session",
      "auth_token",
      "laravel_session",
      "sid",
      "ASP.NET_SessionId",
    ]);
    const value = draw.one([
      draw.text(`${LOWER}0123456789`, 32),
      draw.text(ALNUM, 26),
      `s%3A${draw.text(URL64, 32)}.${query(b64(draw, 32))}`,
      draw.hex(16),
      `${b64(draw, 30)}`.replace(/[+/=]/g, "x"),
    ]);
    return [
      draw.one([
        `Cookie: theme=dark; ${name}=${value}; lang=en`,
        `Set-Cookie: ${name}=${value}; Path=/; HttpOnly`,
        `curl -b '${name}=${value}' https://app.example`,
        `my cookie is ${name}=${value}`,
      ]),
      value,
    ];
  },
  "Azure SAS": (draw) => {
    const sig = query(b64(draw, 32));
    const parts = `sv=2023-11-03&st=2031-02-03T08%3A00%3A00Z&se=2031-03-03T08%3A00%3A00Z&sr=b&sp=r&sig=${sig}`;
    return [
      draw.one([
        `https://heron.blob.core.windows.net/files/a.pdf?${parts}`,
        `SharedAccessSignature sr=heron.example&sig=${sig}&se=1934560000&skn=root`,
        `?${parts}`,
        `BlobEndpoint=https://heron.blob.core.windows.net/;SharedAccessSignature=${parts}`,
      ]),
      sig.replace(/%3D$/, ""),
    ];
  },
  "presigned URL": (draw) => {
    const [part, secret] = draw.one([
      () => {
        const s = draw.hex(32);
        return [
          `X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20310203T000000Z&X-Amz-Expires=3600&X-Amz-Signature=${s}`,
          s,
        ];
      },
      () => {
        const s = draw.hex(256);
        return [`X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Signature=${s}`, s];
      },
      () => {
        const s = `${draw.text(URL64, 170)}~${draw.text(URL64, 170)}__`;
        return [`Expires=1934560000&Signature=${s}&Key-Pair-Id=K2JCJMDEHXQW5F`, s];
      },
      () => {
        const s = query(b64(draw, 20));
        return [`Expires=1934560000&Signature=${s}`, s];
      },
      () => {
        const s = draw.text(ALNUM, 40);
        return [`download=1&token=${s}`, s];
      },
    ])();
    return [`See https://files.heron.example/a/b.zip?${part}`, secret.slice(0, 20)];
  },
  "connection string": (draw) => {
    const password = draw.one([chosen(draw), draw.text(ALNUM, 16)]).replace(/[#%$!]/g, "-");
    return [
      draw.one([
        `${draw.one(SCHEMES)}://${word(draw)}:${password}@db.heron.example:5432/main`,
        `redis://:${password}@cache.heron.example:6379/0`,
        `Server=db.heron.example;Database=main;User Id=app;Password=${password};`,
        `jdbc:postgresql://db.heron.example/main?user=app&password=${password}`,
        `host=db.heron.example user=app password=${password} dbname=main`,
      ]),
      password,
    ];
  },
  "token with a known beginning": (draw) => {
    const token = issued(draw);
    return [draw.one([`use ${token} for now`, `export X="${token}"`, `(${token})`, `${token}\n`]), token];
  },
  "signed token (JWT)": (draw) => {
    const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const token = `${part({ alg: "HS256", typ: "JWT" })}.${part({ sub: draw.hex(6), exp: draw.int(1e9, 2e9) })}.${draw.text(URL64, 43)}`;
    return [
      draw.one([`it answered ${token}`, `Authorization: Bearer ${token}`, `{"jwt":"${token}"}`]),
      token,
    ];
  },
  "AWS secret access key": (draw) => {
    const key = b64(draw, 30);
    return [
      draw.one([
        `aws_secret_access_key = ${key}`,
        `the secret access key is ${key}`,
        `"SecretAccessKey": "${key}"`,
        `secret key: ${key}`,
      ]),
      key,
    ];
  },
  "password somebody says": (draw) => {
    const password = chosen(draw);
    return [draw.one(SAID)(password), password];
  },
  "password of one plain word": (draw) => {
    const password = draw.one([word(draw), `${word(draw)}${word(draw)}`]);
    return [draw.one(ALONE)(password), password];
  },
  "API key somebody says": (draw) => {
    const key = draw.one([
      () => draw.text(`${LOWER}0123456789`, draw.int(14, 24)),
      () => draw.text(ALNUM, draw.int(12, 24)),
      () => draw.text(UPPER, draw.int(14, 24)),
      () => draw.hex(8),
      () =>
        Array.from({ length: 4 }, () => draw.text(LOWER, 4) + draw.int(1000, 9999))
          .slice(0, 2)
          .join(""),
      () => `${draw.text(LOWER, 4)}-${draw.text(HEX, 8)}-${draw.text(HEX, 4)}`,
    ])();
    return [draw.one(KEYS)(key), key];
  },
};

const each = (text, write) => [...text].map(write).join("");
const code = (c, base = 16) => c.codePointAt(0).toString(base);
/** Ways to write a text in other characters. */
export const FORMS = {
  hex: (t) => Buffer.from(t).toString("hex"),
  "hex with colons": (t) => Buffer.from(t).toString("hex").match(/../g).join(":"),
  "percent, every character": (t) => each(t, (c) => `%${code(c).padStart(2, "0").toUpperCase()}`),
  "percent, some": (t) => each(t, (c, at) => (at % 3 === 0 ? `%${code(c).padStart(2, "0")}` : c)),
  "\\u": (t) => each(t, (c) => `\\u${code(c).padStart(4, "0")}`),
  "\\x": (t) => each(t, (c) => `\\x${code(c).padStart(2, "0")}`),
  "entities, decimal": (t) => each(t, (c) => `&#${code(c, 10)};`),
  "entities, hex": (t) => each(t, (c) => `&#x${code(c)};`),
  base64: (t) => Buffer.from(t).toString("base64"),
  base64url: (t) => Buffer.from(t).toString("base64url"),
  "spaced by blanks": (t) => [...t].join(" "),
  "spaced by hyphens": (t) => [...t].join("-"),
  "spaced by dots": (t) => [...t].join("."),
  "in groups of four": (t) => t.match(/.{1,4}/g).join(" "),
  "zero-width": (t) => [...t].join("\u200b"),
  "full-width": (t) => t.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)),
  "UTF-16 in base64": (t) => Buffer.from(t, "utf16le").toString("base64"),
};

/** What is written in another form: a token, and a line that names a password. */
export const plainOf = (draw) =>
  draw.one([
    () => issued(draw),
    () => issued(draw),
    () => `password=${capital(word(draw))}${draw.int(100, 999)}${draw.one("!#%".split(""))}`,
  ])();
