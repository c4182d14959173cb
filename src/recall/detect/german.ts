import { cues } from "./cue.js";

const DAY = "montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag";

export const GERMAN = cues(() => [
  ["wir", 0.8, "wir|uns|unser*"],
  [
    "haben wir",
    0.5,
    "haben|hatten|waren|sind|wollten wir;habe|hatte|wollte ich;du hast|hattest;hast du;wir",
    {
      says: /\b(?:haben|hatten|waren|sind|wollten) wir\b|\b(?:habe|hatte|wollte) ich\b|\bdu (?:hast|hattest)\b|\bhast du\b|\bwir\b.{0,60}\b(?:haben|hatten)\b/,
    },
  ],
  ["mein", 1, "mein*|mir|mich", { asked: true }],
  ["ich", 0.5, "ich", { asked: true }],
  [
    "was mag ich",
    0.7,
    "mag|trage|trinke|esse|nutze|bevorzuge|habe|arbeite|wohne|brauche ich",
    {
      says: /\b(?:was|welche\w*|wen|wo|wann|wie oft|wie viele?)\b.{0,60}\b(?:mag|trage|trinke|esse|nutze|bevorzuge|habe|arbeite|wohne|brauche) ich\b/,
    },
  ],
  ["gewohnt", 0.7, "lieblings*;am liebsten;wie üblich;normalerweise;allergi*"],
  [
    "früher",
    0.8,
    `gestern|vorgestern|letztens|neulich|vorhin|vorher|bisher|damals|zuletzt|kürzlich;letzte* woche|mal|monat|jahr|sitzung|besprechung|${DAY};seit wann;heute morgen|früh;wie lange ist es her`,
  ],
  ["ist her", 0.8, "vor", { says: /\bvor \w+ (?:\w+ )?(?:tag|woche|stunde|monat|jahr|minute)/ }],
  ["merken", 0.8, "erinner*|gemerkt|vergessen;weißt du noch;wie hieß*;wie war noch"],
  ["nochmal", 0.6, "nochmal|nochmals;noch mal|einmal;noch gleich", { asked: true }],
  [
    "gesagt",
    0.5,
    "erwähnt|besprochen|beschlossen|vereinbart|entschieden|abgemacht|ausgemacht|empfohlen|gesagt|erzählt|versprochen|geplant|verschoben|geeinigt|festgelegt|entscheidung|ursache;grund für",
  ],
  [
    "stand",
    1.1,
    "stand|status von|der|des|bei|beim|vom;was ist der stand|status;wie weit;wie steht|läuft es|die|der|das;wo stehen;was fehlt|bleibt;was ist offen|übrig;was ist noch offen|übrig;was ist zu tun;was ist noch zu tun;gibt es neues;gibt es etwas neues",
  ],
  ["noch", 0.6, "noch|schon|bereits|gerade|derzeit|momentan", { asked: true }],
  [
    "zustand",
    0.5,
    "fertig|erledigt|behoben|gelöst|gemerged|gemerget|gemergt|gemergd|geschlossen|blockiert|kaputt|offen|bereit|repariert|veröffentlicht|freigegeben|abgeschlossen|überfällig",
    { asked: true },
  ],
  [
    "wer",
    1.1,
    "wer arbeitet|kümmert|betreut|bearbeitet|macht;wer ist zuständig|verantwortlich",
    {
      says: /\bwer (?:arbeitet|kümmert|ist (?:zuständig|verantwortlich)|betreut|bearbeitet|macht)\b.{0,20}\b(?:an|um|für|gerade)? ?(?:der|dem|den|die|das|unser\w*)\b/,
    },
  ],
  [
    "was hat sie",
    1,
    "hat|macht|wollte",
    {
      says: /\bwas (?:hat|macht|wollte) (?!python|java|google|apple|microsoft|linux|die\b|der\b|das\b|man\b|es\b)\w+(?: \w+){0,3} (?:gemacht|gesagt|erledigt|geantwortet|geschrieben|versprochen|gewollt|gerade|herausgefunden)\b|^\W{0,3}hat (?!jemand|man|es|die|der|das|ein)\w+\b.{0,40}\b(?:geantwortet|fertig|erledigt|gemacht|geschickt|angerufen|zugesagt)\b/,
    },
  ],
  [
    "das ding",
    0.5,
    "migration|release|ausfall|deployment|umzug|termin|rechnung|projekt|projekts|besprechung|build|builds|server|servers|ticket|tickets|fehler|fehlers|bug|bugs|refactoring|datenbank|vertrag|sprint|sprints|umstellung|konfiguration|dienst|staging*|pipeline|dashboard|dashboards|angebot|lieferung|reise|arzt|zahnarzt",
    {
      says: /\b(?:der|die|das|den|dem|des|zur|zum|beim|im) (?:\w+ ){0,2}(?:migration|release|ausfall|deployment|umzug|termin|rechnung|projekts?|besprechung|builds?|servers?|tickets?|fehlers?|bugs?|refactoring|datenbank|vertrag|sprints?|umstellung|konfiguration|dienst|staging\w*|pipeline|dashboards?|angebot|lieferung|reise|arzt|zahnarzt)\b/,
      asked: true,
    },
  ],
  ["war", 0.4, "war|waren|wurde|wurden|hat|hatte|passiert", { asked: true }],
  [
    "plan",
    0.5,
    `geplant|ansteht|termin|fällig|kalender|morgen;steht an;nächste* woche|monat|schritt|schritte|${DAY}`,
    { asked: true },
  ],
  [
    "weiter",
    1.2,
    "mach|weiter;machen wir",
    {
      says: /\b(?:mach|machen wir|weiter)\b.{0,60}\b(?:aufgehört|stehen ?geblieben|wo (?:wir|ich))\b/,
    },
  ],
  ["wie immer", 1, "wie immer|gehabt|besprochen|vereinbart;wie beim letzten mal"],
  [
    "merke dir",
    -2,
    "merk|merke dir;notier|notiere|vergiss|denk|behalt|behalte;nimm|schreib",
    {
      says: /^\W{0,3}(?:bitte )?(?:merke? dir|notiere?|vergiss nicht|denke? daran|behalte? im|schreibe? (?:dir )?auf|erinnere? mich (?:bitte )?(?:morgen|heute|um|in|am|daran))/,
      told: true,
    },
  ],
  [
    "erzählt",
    -1.2,
    "wir|ich",
    {
      says: /^\W{0,3}(?:wir|ich) (?!(?:wei(?:ß|ss)|habe? (?:\S+ )?vergessen|erinnere|frage|möchte|will|würde|brauche))/,
      told: true,
    },
  ],
  [
    "mache",
    -1,
    "",
    {
      says: /^\W{0,3}(?:bitte |kannst du |könntest du )?(?:schreib|erklär|übersetz|erstell|zeig|gib|nenn|berechn|sortier|füge?|implementier|korrigier|formulier|mach|bau|entwirf|generier|list|vergleich|danke|hallo|fass|entwickl|programmier)/,
    },
  ],
  [
    "wie geht",
    -1,
    "wie kann|soll|mache|schreibe|installiere|erstelle|bekomme|finde|sehe|lösche|ändere ich|man;wie geht|funktioniert",
  ],
  [
    "bedeutung",
    -0.6,
    "was bedeutet;was ist ein|eine;unterschied zwischen;im allgemeinen;weltweit;beispiel für;sollen wir;warum funktioniert mein* code",
  ],
]);
