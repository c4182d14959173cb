// Sentences of about 30 words over a vocabulary in which, as in a language, few words are common and most are rare. The
// same in every run. Common words are English, so that stop words and stemming have their work.
const COMMON =
  "the of and to in a is that for it was on are with as they be at one have this from or had by but some what there we can out other were all your when up use word how said each she which their time will way about many then them would write like so these her long make thing see him two has look more day could go come did my sound no most number who over know water than call first people may down side been now find any new work part take get place made live where after back little only round man year came show every good me give our under name very through just form much great think say help low line before turn cause same mean differ move right boy old too does tell sentence set three want air well also play small end put home read hand port large spell add even land here must big high such follow act why ask men change went light kind off need house picture try us again animal point mother world near build self earth father".split(
    " ",
  );
const SYLLABLES =
  "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri flo gru pla qui ste tro".split(
    " ",
  );
const ENDINGS = ["", "ing", "ed", "s", "ation", "er"];

/** Pseudo-random numbers from 0 to 1, the same for the same seed. */
export function dice(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

const rareWord = (at) => {
  let word = "";
  for (let rest = at + 31; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length];
  return word + ENDINGS[at % ENDINGS.length];
};

/** A word by its rank, drawn so that rank r comes about once for every r of the first. */
function word(roll) {
  const rank = Math.floor(Math.exp(roll() * Math.log(40_000))) - 1;
  return rank < COMMON.length ? COMMON[rank] : rareWord(rank);
}

export function sentence(roll, words = 30) {
  return Array.from({ length: words }, () => word(roll)).join(" ");
}

export const SCOPES = ["shared", "project/a", "project/b", "project/c", "project/d"];

export function memories(count, seed = 1) {
  const roll = dice(seed);
  return Array.from({ length: count }, (_, at) => ({
    text: sentence(roll),
    scope: SCOPES[at % SCOPES.length],
    tags: [`t${at % 50}`],
    ...(at % Math.max(1, Math.floor(count / 100)) === 0 && { attributes: { TODO: "APPROVED" } }),
  }));
}

/** Questions of eight common words, and eight words as a person would take them from what was said. */
export const commonQuestion = (roll) =>
  Array.from({ length: 8 }, () => COMMON[40 + Math.floor(roll() * 60)]).join(" ");
export const naturalQuestion = (roll) => sentence(roll, 8);

/** As people ask: real words, which a model knows whole (made-up ones fall into many pieces), and the name of a speaker in some. */
const ASKED = [
  "What did Ada say about the _ _?",
  "When did we _ the _ with the other _?",
  "Which _ did Ben _ for the _?",
  "Where is the _ that they want to _?",
  "Who said that the _ should be _ before the _?",
  "How many people _ the _ last year?",
  "Why did we _ the _?",
  "Does the _ _ still need a _?",
];
export function askedQuestion(roll) {
  const one = (list) => list[Math.floor(roll() * list.length)];
  return one(ASKED).replace(/_/g, () => one(COMMON.slice(40)));
}
