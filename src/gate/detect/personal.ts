import type { Finding, Kind } from "./rule.js";
import { matchesOf } from "./rule.js";

/** The check of card numbers: every second digit from the right counts twice. */
export function luhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48;
    const twice = digit * 2;
    sum += at % 2 === 0 ? digit : twice > 9 ? twice - 9 : twice;
  }
  return sum % 10 === 0;
}

/** First digits and lengths by which brands number their cards. A shared range needs the word "card" nearby. */
const BRANDS: readonly (readonly [RegExp, readonly number[], "sure" | "context"])[] = [
  [/^4/, [16, 19], "sure"],
  [/^4/, [13], "context"],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16], "sure"],
  [/^3[47]/, [15], "sure"],
  [/^(?:6011|64[4-9]|65)/, [16, 17, 18, 19], "sure"],
  [/^(?:30[0-5]|3[689])/, [14], "sure"],
  [/^(?:30[0-5]|3[689])/, [15, 16, 17, 18, 19], "context"],
  [/^35(?:2[89]|[3-8])/, [16, 17, 18, 19], "sure"],
  [/^(?:1800|2131)/, [15], "sure"],
  [/^220[0-4]/, [16], "sure"],
  [/^62/, [16, 17, 18, 19], "sure"],
  [/^(?:50|5[6-9]|6)/, [12, 13, 14, 15, 16, 17, 18, 19], "context"],
];

/** Is it numbered like a card? "context" says that other things are numbered so too. */
export function cardBrand(digits: string): "sure" | "context" | undefined {
  if (!luhn(digits) || new Set(digits).size < 2) return undefined;
  const fits = BRANDS.filter(([start, lengths]) => start.test(digits) && lengths.includes(digits.length));
  return fits.some(([, , how]) => how === "sure") ? "sure" : fits[0]?.[2];
}

const FAMOUS = new Set(["078051120", "219099999", "457555462"]);

/** What the Social Security Administration never issues, and numbers printed so often that they are nobody's. */
export function isSsn(digits: string): boolean {
  const [area, group, serial] = [digits.slice(0, 3), digits.slice(3, 5), digits.slice(5)];
  if (area === "000" || area === "666" || area >= "900" || group === "00" || serial === "0000") return false;
  return !FAMOUS.has(digits) && new Set(digits).size > 1 && digits !== "123456789";
}

/** Length of an IBAN by country (ISO 13616). */
const IBAN_LENGTH: Readonly<Record<string, number>> = Object.fromEntries(
  "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** ISO 7064 mod 97-10 over the IBAN with its first four characters moved to the end. */
export function isIban(compact: string): boolean {
  const iban = compact.toUpperCase();
  if (IBAN_LENGTH[iban.slice(0, 2)] !== iban.length) return false;
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

const isIpv4 = (text: string): boolean =>
  text.split(".").every((part) => Number(part) <= 255 && String(Number(part)) === part);

function isIpv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  if (!groups.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false;
  return halves.length === 2 ? groups.length < 8 && groups.length > 1 : groups.length === 8;
}

type Finder = (text: string) => Finding[];

const before = (text: string, at: number, reach = 48): string => text.slice(Math.max(0, at - reach), at);

function finder(
  kind: Kind,
  rule: string,
  pattern: RegExp,
  accepts: (value: string, at: number, text: string) => boolean,
): Finder {
  return (text) => {
    const found: Finding[] = [];
    for (const match of matchesOf(text, pattern)) {
      const [value] = match;
      if (accepts(value, match.index, text))
        found.push({ kind, rule, start: match.index, end: match.index + value.length });
    }
    return found;
  };
}

const digitsOf = (text: string): string => text.replace(/\D/g, "");

const SSN_WORDS = /ssn|social security|\bsocial\b|tax ?payer/i;
const ssn = finder("ssn", "ssn", /(?<![\w.-])\d{3}([- ]?)\d{2}\1\d{4}(?![\w-]|\.\d)/g, (value, at, text) => {
  const hasContext = SSN_WORDS.test(before(text, at)) || SSN_WORDS.test(text.slice(at, at + 48));
  return isSsn(digitsOf(value)) && (value.includes("-") || hasContext);
});

const CARD_WORDS =
  /card|credit|visa|master|maestro|amex|express|debit|diners|discover|jcb|union ?pay|cvv|karte|tarjeta|carte|cartão|atm|\bcc\b|points|limit|charge|payment/i;
const card = finder(
  "card",
  "card",
  /(?<![\d.,+-])\d(?:[ -]?\d){11,18}(?![\d-]|[.,]\d)/g,
  (value, at, text) => {
    const groups = value.split(/[ -]/).map(({ length }) => length);
    const isGrouped =
      groups.length === 1 || (groups[0] === 4 && groups.length >= 3 && groups.every((n) => n >= 3 && n <= 6));
    const brand = isGrouped ? cardBrand(digitsOf(value)) : undefined;
    return brand === "sure" || (brand === "context" && CARD_WORDS.test(before(text, at, 64)));
  },
);

const COUNTRY = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=[ A-Za-z0-9])/g;
/** Reads as many characters as the country's IBAN has, single blanks between them left out. */
const iban: Finder = (text) => {
  const found: Finding[] = [];
  for (const match of matchesOf(text, COUNTRY)) {
    const length = IBAN_LENGTH[match[0].slice(0, 2).toUpperCase()];
    if (length === undefined) continue;
    let compact = match[0];
    let at = match.index + 4;
    for (; compact.length < length; at++) {
      const character = text[at] ?? "";
      if (/[A-Za-z0-9]/.test(character)) compact += character;
      else if (character !== " " && character !== "-") break;
    }
    if (compact.length === length && !/[A-Za-z0-9]/.test(text[at] ?? "") && isIban(compact))
      found.push({ kind: "iban", rule: "iban", start: match.index, end: at });
  }
  return found;
};

/** Looked for around each "@", because a run of letters before one may be long. */
const email: Finder = (text) => {
  const found: Finding[] = [];
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    const local = /[\p{L}\p{N}._%+'-]{1,64}$/u.exec(before(text, at, 64))?.[0];
    const domain = /^(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])/u.exec(
      text.slice(at + 1, at + 256),
    )?.[0];
    if (local === undefined || domain === undefined || local === "git") continue;
    const end = at + 1 + domain.length;
    found.push({ kind: "email", rule: "email", start: at - local.length, end });
  }
  return found;
};

const VERSION_WORDS = /(?:version|release|section|chapter|§|\bv|clause|build|part)[ .:]{0,2}$/i;
const ipv4 = finder(
  "ip",
  "ipv4",
  /(?<![\w.])\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![\w]|\.\d)/g,
  (value, at, text) => isIpv4(value) && !VERSION_WORDS.test(before(text, at, 12)),
);
const ipv6 = finder(
  "ip",
  "ipv6",
  /(?<![\w:.])(?:[0-9A-Fa-f]{1,4}:{1,2}){2,7}[0-9A-Fa-f]{1,4}(?![\w:])/g,
  (value) => isIpv6(value) && /[0-9]/.test(value) && !/^\d\d?:\d\d:\d\d$/.test(value),
);

const PHONE_WORDS =
  /phone|\btel\b|telefon|teléfono|téléphone|mobil|\bcell\b|fax|\bcall\b|\bring\b|dial|reach|answering at|whatsapp|\bsms\b|text me|messages? to|registered|desk|handy|hotline|\bnumber\b[^\d]{0,6}$/i;
const PHONE_AFTER = /^[ -]{0,2}(?:office|fax|mobile|desk|home|cell)/i;
const NOT_PHONE =
  /(?:order|invoice|issue|ticket|version|build|port|room|extension|iso|rfc|isbn|part|zip|year|years|card|account|from|open|between|pages?)[ .:#№]{0,3}(?:no\.?|number)?\s{0,2}$/i;
const phone = finder(
  "phone",
  "phone",
  /(?<![\w.,/-])[+(]?\d[\d ().-]{4,22}\d(?: ?x\d{2,6})?(?![\w]|[.,:/]\d)/g,
  (value, at, text) => {
    const digits = digitsOf(value.replace(/x\d+$/, ""));
    if (digits.length < 6 || digits.length > (/^(?:\+|00)/.test(value) ? 15 : 13)) return false;
    if (/^\d{4}-\d{2}-\d{2}/.test(value) || /^(?:19|20)\d\d[ -]+(?:19|20)\d\d$/.test(value)) return false;
    if (NOT_PHONE.test(before(text, at, 24))) return false;
    if (/^\+[\d ().-]{7,}/.test(value) && digits.length >= 8) return true;
    if (/x\d{2,6}$/.test(value) && digits.length >= 10) return true;
    if (/^(?:(?:\+?1|001)[ .-])?(?:\(\d{3}\) ?|\d{3}[.-])\d{3}[.-]\d{4}/.test(value)) return true;
    return (
      PHONE_WORDS.test(before(text, at, 40)) ||
      PHONE_AFTER.test(text.slice(at + value.length, at + value.length + 10))
    );
  },
);

const NUMBERED: readonly Finder[] = [ssn, card, iban, ipv4, ipv6, phone];

/** Personal data with its own numbering or grammar. Where findings overlap, the graver kind stands. */
export function findPersonal(text: string): Finding[] {
  const addresses = text.includes("@") ? email(text) : [];
  return /\d/.test(text) ? [...addresses, ...NUMBERED.flatMap((find) => find(text))] : addresses;
}
