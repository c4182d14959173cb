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
export const IBAN_LENGTH: Readonly<Record<string, number>> = Object.fromEntries(
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

export const isIpv4 = (text: string): boolean =>
  text.split(".").every((part) => Number(part) <= 255 && String(Number(part)) === part);

export function isIpv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  if (!groups.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false;
  return halves.length === 2 ? groups.length < 8 && groups.length > 1 : groups.length === 8;
}
