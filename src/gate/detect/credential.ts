import { isFamous, isPassphrase, isPlainWord } from "./chosen.js";
import { entropy, isPlaceholder, isReference, isScrambled, type Make } from "./plausible.js";

/** What a value is said to be. */
export type Class = "password" | "pin" | "token" | "key" | "login";

/** How the value is joined to its name: written like code, said in a sentence, or merely standing beside it. */
export type Join = "code" | "prose" | "beside";

/** A value with what stands around it. */
export interface Value {
  readonly text: string;
  readonly make: Make;
  readonly about: Class;
  readonly join: Join;
  readonly isQuoted: boolean;
  /** Nothing but a value can follow: a colon, an equals sign, "lautet". */
  readonly isGiven: boolean;
  /** The name is a word for a password, whole, and no part of a program. */
  readonly isSpoken: boolean;
  /** What follows on the line. */
  readonly behind: string;
}

/** Things that mix letters and digits without being secret. */
const COMMON =
  /^(?:base\d\d?|sha-?\d+|md5|utf-?\d+|aes-?\d+|rsa-?\d+|oauth\d?|https?|ipv?\d|ed25519|ecdsa|[hre]s\d+|v?\d+(?:\.\d+)+|v\d+|\d+-?(?:st|nd|rd|th|k|m|gb|mb|kb|ms|s|h|d|chars?|characters?|days?|digits?|bits?|hours?|months?|weeks?|years?|min(?:utes?)?|sec(?:onds?)?|letters?|tokens?|words?|times?)|win32|x?86|x64|log4j|s3|ec2|k8s|i18n|2fa|mfa|1password|bcrypt)(?![a-z0-9])/i;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** "Winter2", "release-14", "my_little_name2": words with a number behind them. */
const NAMED = /^[A-Z]?[a-z]+(?:[A-Z][a-z]+)*[-_ .]?[\d.]+$/;
const PARTS = /^[a-z]+\d{0,3}(?:[-_.](?:[a-z]+\d{0,3}|\d{1,4}))+$/i;

/** Side by side, as chance puts them; in names that are put together of short words each begins one. */
const CAPITALS = /\p{Lu}{2}/u;
/** What types and classes are called. */
const TYPE =
  /^(?:[A-Z][a-z]+){1,6}(?:Str|String|Text|Bytes|Field|Input|Type|Value|Param|Provider|Factory|Manager|Hash|Hasher)$/;

const isMixed = ({ make }: Value): boolean => make.lower && make.upper;
const hasBoth = ({ make }: Value): boolean => make.digit && (make.lower || make.upper);
const digitsIn = (text: string): number => text.replace(/\D/g, "").length;

type Test = (value: Value) => boolean;
type Named<K extends string> = Readonly<Record<K, Test>>;

/** What is none, whatever it is said to be. */
const NEVER: Named<string> = {
  "more than two words": ({ text }) => /\s/.test(text) && !/^\S+ \S+$/.test(text),
  "a call, whose result is meant": ({ text, isQuoted, behind }) =>
    !isQuoted && /^[([]/.test(behind) && /^[A-Za-z_][\w.]*$/.test(text),
  "something common": ({ text }) => COMMON.test(text) && !isLongAndScrambled(text),
  "where it lies or what fetches it": ({ text, about, make, join }) =>
    isReference(text) &&
    !(about === "password" && make.digit && join !== "beside") &&
    !isLongAndScrambled(text),
  "an id": ({ text, about, join }) =>
    UUID.test(text) && !(join === "code" && (about === "token" || about === "key")),
  "a placeholder": ({ text, about, join }) =>
    about !== "pin" && !UUID.test(text) && isPlaceholder(text, join === "prose"),
};

/** What is one, by what it is said to be: one of the tests is enough. */
const SECRET: Readonly<Record<Class, Named<string>>> = {
  pin: {
    "digits or groups that are said or set": ({ text, join }) =>
      join !== "beside" &&
      /^(?:\d{4,8}#?|(?=\w*\d)[A-Z0-9]{4}(?:-[A-Z0-9]{4}){1,6}|(?=[a-z-]*\d)[a-z0-9]{5}-[a-z0-9]{5})$/.test(
        text,
      ),
  },
  login: {
    "a strong password, quoted": (value) =>
      isLogin(value) && value.make.lower && (value.make.upper || value.make.symbol) && value.text.length >= 8,
    "a long one, quoted": (value) => isLogin(value) && value.text.length >= 32,
  },
  password: {
    "letters and digits that are set": (value) => isSet(value) && hasBoth(value),
    "digits that are set": ({ text, ...value }) => isSet({ text, ...value }) && /^\d{6,12}$/.test(text),
    "digits and signs that are set": (value) =>
      isSet(value) &&
      !hasBoth(value) &&
      value.make.digit &&
      value.make.symbol &&
      !/^[\d.,:/%+-]+$/.test(value.text),
    "letters and signs that are set": (value) =>
      isSet(value) &&
      !value.make.digit &&
      !/@\w+\./.test(value.text) &&
      (value.isQuoted ? /[!@#$%^&*]/ : /[!@#$%^*]\S*\p{L}/u).test(value.text),
    "capitals within, set": (value) =>
      isSet(value) &&
      isMixed(value) &&
      !value.make.symbol &&
      value.text.length >= 8 &&
      /\p{Ll}\p{Lu}/u.test(value.text) &&
      !TYPE.test(value.text),
    "letters without order, with signs behind": ({ text, join, make }) =>
      text.length >= (join === "code" ? 8 : 10) &&
      make.lower &&
      make.upper &&
      /^\p{L}+[!?.+*#$%&@-]{0,3}$/u.test(text) &&
      CAPITALS.test(text) &&
      isScrambled(text.replace(/\P{L}{1,3}$/u, "")),
    "letters and digits that are said": (value) =>
      value.join !== "code" &&
      hasBoth(value) &&
      value.text.length >= (value.join === "prose" ? 6 : 8) &&
      !/^\d+[-\p{L}]+$/u.test(value.text),
    "signs within, said": ({ text, join, isSpoken }) =>
      join === "prose" && isSpoken && text.length >= 8 && /\p{L}[!#$%^*]\p{L}/u.test(text),
    "digits at the end of a sentence": ({ text, join, behind }) =>
      join === "prose" && /^\d{4,12}$/.test(text) && /^\s*(?:[.,;!)]|$)/.test(behind),
    "words strung together": ({ text, join, isSpoken, isQuoted }) =>
      join !== "beside" && (isSpoken || isQuoted) && isPassphrase(text),
    "one plain word that is given": ({ text, isGiven, isSpoken, isQuoted, behind }) =>
      isGiven && (isSpoken || isQuoted) && isPlainWord(text) && isAllThatIsGiven(behind, isQuoted),
    "a famous one that is said": ({ text, join, isSpoken, behind }) =>
      join === "prose" && isSpoken && isFamous(text) && isAllThatIsGiven(behind, false),
  },
  token: {
    "mixed, set": (value) =>
      value.join === "code" &&
      hasBoth(value) &&
      isMixed(value) &&
      value.text.length >= 8 &&
      !/^[A-Z]?[a-z]+[-_ ]?\d+$/.test(value.text) &&
      entropy(value.text) >= 2.7,
    "long, with digits": (value) =>
      hasBoth(value) && value.text.length >= 16 && entropy(value.text) >= 3 && !PARTS.test(value.text),
    "letters without order": ({ text, make }) => text.length >= 15 && !make.symbol && isScrambled(text),
    "shorter, said": (value) =>
      value.join !== "code" &&
      hasBoth(value) &&
      value.text.length >= 12 &&
      (isScrambled(value.text) || (value.join === "prose" && digitsIn(value.text) >= 3)) &&
      !PARTS.test(value.text) &&
      !NAMED.test(value.text),
  },
  key: {
    "long or mixed, set": (value) =>
      value.join === "code" &&
      hasBoth(value) &&
      value.text.length >= (isMixed(value) ? 12 : 20) &&
      entropy(value.text) >= 3.2 &&
      !NAMED.test(value.text),
    "hexadecimal, set": ({ text, join }) =>
      join === "code" && /^(?:[0-9a-f]{32,128}|[0-9A-F]{32,128})$/.test(text) && entropy(text) >= 2.8,
    "letters without order, set": ({ text, make, join }) =>
      join === "code" &&
      text.length >= 20 &&
      make.lower &&
      make.upper &&
      !make.symbol &&
      CAPITALS.test(text) &&
      isScrambled(text),
    "a number as long as keys are, said": ({ text, join }) =>
      join === "prose" && /^0x[0-9a-f]{64}$/i.test(text),
  },
};

/** Base64 of a key may begin like anything: with a path, with a version. */
const isLongAndScrambled = (text: string): boolean => text.length >= 32 && isScrambled(text);
const isSet = ({ join, text }: Value): boolean => join === "code" && text.length >= 6;
const isLogin = (value: Value): boolean => value.join !== "beside" && value.isQuoted && hasBoth(value);

/** What follows describes the password, and the word is part of it; but "… for the guest network" may follow. */
const isAllThatIsGiven = (behind: string, isQuoted: boolean): boolean =>
  isQuoted
    ? !/^["'`”»’]?\s{0,2}[+([]/.test(behind)
    : /^(?:\s*$|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]|\s*[.!)](?:\s|$)|,\s*\S|[;&](?=\S)|\s+(?:for|on|at|für|pour|para|per|voor|dla|для|and|und|et|y|e|[\w-]{2,30}=)(?:\s|$|\S*=))/.test(
        behind,
      );

function holds(tests: Named<string>, value: Value): boolean {
  for (const name in tests) if (tests[name]?.(value)) return true;
  return false;
}

/** Most values of most texts are none by what they are said to be, which is cheaper to tell. */
export const isSecret = (value: Value): boolean => holds(SECRET[value.about], value) && !holds(NEVER, value);
