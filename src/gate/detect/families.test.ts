import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut, scan } from "./scan.js";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const HEX = "0123456789abcdef";
const ALNUM = LOWER + LOWER.toUpperCase() + DIGITS;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

type Draw = (units: string, count: number) => string;
/** Drawn by chance, as keys are, and the same again for one seed. */
const drawing = (seed: number): Draw => {
  let state = seed;
  return (units, count) =>
    Array.from({ length: count }, () => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      return units[(state >> 12) % units.length];
    }).join("");
};
const uuid = (draw: Draw): string => [8, 4, 4, 4, 12].map((count) => draw(HEX, count)).join("-");
const grave = (text: string) => scan(text).filter(({ kind }) => kind === "secret" || kind === "password");
const strong = (draw: Draw): string => `K${draw(LOWER, 3)}${draw(DIGITS, 3)}${draw(ALNUM, 6)}x9`;

/** What is kept of it, and all of it: the secret and what stands around it. */
type Family = (draw: Draw) => readonly [secret: string, write: (secret: string) => string];
const alone = (make: (draw: Draw) => string): Family => {
  return (draw) => [make(draw), (secret) => `We use ${secret} in staging.`];
};

const FAMILIES: Readonly<Record<string, Family>> = {
  adafruit: alone((draw) => `aio_7q${draw(ALNUM, 26)}`),
  fireworks: alone((draw) => `fw_7q${draw(ALNUM, 22)}`),
  cerebras: alone((draw) => `csk-${draw(LOWER + DIGITS, 48)}`),
  nvidia: alone((draw) => `nvapi-${draw(ALNUM, 64)}`),
  voyage: alone((draw) => `pa-7q${draw(ALNUM, 41)}`),
  jina: alone((draw) => `jina_${draw(HEX, 32)}${draw(ALNUM, 28)}`),
  "webhooks of linear": alone((draw) => `lin_wh_${draw(ALNUM, 38)}`),
  mapbox: alone((draw) => `sk.eyJ1${draw(ALNUM, 60)}.${draw(ALNUM, 22)}`),
  clickup: alone((draw) => `pk_${draw("123456789", 8)}_${draw(BASE32, 32)}`),
  deepl: alone((draw) => `${uuid(draw)}:fx`),
  launchdarkly: alone((draw) => `sdk-${uuid(draw)}`),
  ngrok: alone((draw) => `28q${draw(ALNUM, 24)}_${draw(ALNUM, 21)}`),
  modal: alone((draw) => `as-7q${draw(ALNUM, 20)}`),
  statsig: alone((draw) => `secret-7q${draw(ALNUM, 41)}`),
  "a wallet": alone((draw) => `xprv9${draw(BASE58, 106)}`),
  "an account of a wallet": alone((draw) => `5K${draw(BASE58, 49)}`),
  "a gateway": (draw) => [draw(HEX, 32), (secret) => `https://mainnet.infura.io/v3/${secret}`],
  "a hook": (draw) => [
    `12345/${draw(LOWER, 7)}`,
    (secret) => `https://hooks.zapier.com/hooks/catch/${secret}/`,
  ],
  "a training run": (draw) => [draw(HEX, 40), (secret) => `wandb login ${secret}`],
  "a header": (draw) => [`00${draw(ALNUM, 40)}`, (secret) => `Authorization: SSWS ${secret}`],
  "an alarm": (draw) => [uuid(draw), (secret) => `-H "Authorization: GenieKey ${secret}"`],
  "a code of a network": (draw) => [strong(draw), (secret) => `WIFI:T:WPA;S:Home;P:${secret};;`],
  "a file of passwords": (draw) => [strong(draw), (secret) => `db.host:5432:prod:app:${secret}`],
  "a seed of codes": (draw) => [`${draw(BASE32, 15)}7`, (secret) => `TOTP seed ${secret}`],
  "an environment": (draw) => [strong(draw), (secret) => `- name: DB_PASSWORD\n  value: ${secret}`],
  "an element": (draw) => [strong(draw), (secret) => `<add key="ApiPassword" value="${secret}"/>`],
  "a variable": (draw) => [strong(draw), (secret) => `variable "db_password" { default = "${secret}" }`],
  "a login": (draw) => [strong(draw), (secret) => `docker login -u bob -p ${secret} registry.example`],
  "a shell": (draw) => [strong(draw), (secret) => `sshpass -p ${secret} ssh root@host`],
  "a database": (draw) => [strong(draw), (secret) => `redis-cli -a ${secret} ping`],
  "a pipe": (draw) => [strong(draw), (secret) => `echo ${secret} | docker login --password-stdin`],
  "a name": (draw) => [
    `K${draw(LOWER, 2)}${draw(DIGITS, 2)}q${draw(ALNUM, 5)}`,
    (secret) => `password-${secret}`,
  ],
  "the line below": (draw) => [strong(draw), (secret) => `Password:\n  ${secret}\nUser: ann`],
  "two lines below": (draw) => [strong(draw), (secret) => `Password:\n\n${secret}`],
  "beside its account": (draw) => [draw(LOWER, 12), (secret) => `user: ann, pass: k${secret}`],
  "a number called key": (draw) => [`0x${draw(HEX, 64)}`, (secret) => `the key is ${secret}`],
};

describe("A800 further families of secrets", () => {
  it.each(Object.entries(FAMILIES))("A800 %s", (_name, family) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 0x7ffffff }), (seed) => {
        const [secret, write] = family(drawing(seed * 2 + 1));
        const text = write(secret);
        expect(grave(text), text).not.toEqual([]);
        expect(
          cut(text, scan(text), () => true),
          text,
        ).not.toContain(secret);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    "recovery codes: hobz9-84ztu, eaked-7pu5d",
    "Backup codes:\n- 4f2a1-9bc3d\n- 77aa1-b3c4d\n- 1a2b3-c4d5e",
    "app password: njfv qdbb xfkj ywku",
    "passphrase: correct horse battery staple",
    "The passphrase is lantern kettle meadow orbit.",
    'password: "lantern kettle meadow orbit"',
    "the gate code is 4711",
  ])("A801 %j", (text) => {
    expect(grave(text)).toHaveLength(1);
    expect(cut(text, scan(text), () => true)).not.toMatch(/84ztu|7pu5d|c4d5e|qdbb|horse|kettle|4711/);
  });
});

describe("A802 what has the look of one and is none", () => {
  const ordinary = fc.integer({ min: 1, max: 0x7ffffff }).map((seed) => drawing(seed * 2 + 1));
  it.each<readonly [string, (draw: Draw) => string]>([
    ["where a file lies", (draw) => `S3 key: logs/2026/01/${uuid(draw)}.json.gz`],
    [
      "the name of a secret",
      (draw) => `arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-${draw(ALNUM, 6)}`,
    ],
    ["what tells a call again", (draw) => `Idempotency-Key: ${uuid(draw)}`],
    ["what is kept for a build", (draw) => `cache key: npm-linux-${draw(HEX, 64)}`],
    ["a slot of a contract", (draw) => `the storage key is 0x${draw(HEX, 64)}`],
    ["a transaction", (draw) => `0x${draw(HEX, 64)} was mined`],
    ["a commit", (draw) => `broken since ${draw(HEX, 40)}`],
    ["an image", (draw) => `nginx@sha256:${draw(HEX, 64)}`],
    ["a request", (draw) => `req_01${draw(ALNUM, 22)} of msg_01${draw(ALNUM, 22)}`],
  ])("A802 %s", (_what, write) => {
    fc.assert(
      fc.property(ordinary, (draw) => {
        const text = write(draw);
        expect(grave(text), text).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    "mngr->getKey = xmlSecKeysMngrGetKey;",
    "feat (ai/core): pass toolCallId option into tool",
    "password-rotation-2026",
    "token-v2-migration",
    "secret_Migration2026",
    "password_hash_v2Beta",
    "password: SecretStr",
    "password: PasswordInput!",
    "user: alice, pass: yes",
    "user: alice, pass: always asks twice",
    "pass: kettle",
    "Test results: pass: 42, fail: 3",
    "Password:\n  see the vault",
    "password:\n  type: string\n  minLength: 12",
    "token:\n  description: a JWT of the user",
    "secret:\n  name: db-credentials",
    "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db-credentials",
    'variable "db_password" { default = var.other }',
    "docker login -u bob --password-stdin",
    "openssl req -x509 -keyout key.pem -out cert.pem -k $PASS",
    "The passphrase is generated by the installer and shown once.",
    "passphrase: choose four random words",
    "passphrase: never leaves the device memory",
    "password: minimum eight characters mixed case",
    "the app password that will help them",
    "backup codes: printed and put into the safe",
    "2FA: enabled for ADMINISTRATORS",
    "the gate code is reviewed by two people",
    "WIFI:T:nopass;S:Cafe;;",
    "host:port:db:user:password is how a line of .pgpass is written",
    "fw_devlink_create_device is a function of the kernel",
    "secret-management-and-rotation-policy-of-our-company",
  ])("A802 %j", (text) => expect(grave(text), text).toEqual([]));
});
