import { cues } from "./cue.js";

const DAY = "montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag";

const THING =
  "vermieter|vermieterin|kundennummer|steuerberater|büro|passwort|wlan|logo|lieferant|lieferanten|relaunch|redesign|kunde|kunden|kundin|werkstatt|handwerker|schule|lehrerin|lehrer|praktikant|praktikantin|wohnung|küche|garten|auto|hotel|restaurant|zertifikat|kampagne|präsentation|branch|backup|backups|budget|login|urlaub|praktikum|gespräch|telefonat|workshop|migration|release|ausfall|deployment|umzug|termin|rechnung|projekt|projekts|besprechung|build|builds|server|servers|ticket|tickets|fehler|fehlers|bug|bugs|refactoring|datenbank|vertrag|sprint|sprints|umstellung|konfiguration|dienst|staging|pipeline|dashboard|dashboards|angebot|lieferung|reise|arzt|zahnarzt";

export const GERMAN = cues(() => [
  ["wir", 0.8, "wir|uns|unser*"],
  ["von uns", 0.3, "wir|uns|unser*", { asked: true }],
  [
    "bitte",
    -1,
    "kannst|könntest|würdest du;sollen|können|dürfen|müssen|wollen wir",
    {
      says: /\b(?:kannst|könntest|würdest) du (?!(?:dich|mir sagen|mich erinnern|mich (?:kurz )?daran))|\b(?:sollen|können|dürfen|müssen|wollen) wir\b/,
    },
  ],
  ["weiß nicht mehr", 1.1, "ich habe|hab vergessen;ich weiß nicht mehr;mir fällt"],
  [
    "kam heraus",
    1,
    "heraus|herausgekommen|rausgekommen|raus|ausgegangen|ergeben",
    { says: /\b(?:kam|kamen|ist|sind|hat|ging)\b/, asked: true },
  ],
  ["war das", 0.6, "welche*", { says: /\bwelche\w* [\p{L}-]+ war (?:das|es)(?!\p{L})/u }],
  [
    "tue ich",
    0.6,
    "ich",
    {
      says: /(?<!\p{L})(?:welche\p{L}*|was|wo|wen|wem|wann|womit|worauf|wie (?:oft|viele?))(?!\p{L}).{0,60} (?!brauche|mache|bekomme|kriege|erhalte|sehe|finde|verstehe|nehme)\p{L}+e ich(?!\p{L})/u,
      asked: true,
    },
  ],
  [
    "das eine",
    1,
    "vermieter|vermieterin|büro|budget|besprechung|kunde|kunden|kundin|lieferant|lieferanten|vertrag|frist|rechnung|termin|workshop|hochzeit|feier|handwerker|zahnarzt|flug|buchung|praktikant|praktikantin|chef|chefin|steuerberater|wlan|schlüssel|launch|sprint|demo|übergabe|kampagne|präsentation|angebot|lieferung|wohnung|ladekabel",
    {
      says: /^\W{0,3}(?:wer|wo|wann|wie viele?|bis wann|wohin|wem|wen)\b.{0,60}(?<!\p{L})(?:der|die|das|den|dem|des|zur|zum|beim|im|am|fürs|vom)(?!\p{L})/u,
    },
  ],
  [
    "zeig uns",
    1,
    "wir|uns|unser*|mein*",
    { says: /^\W{0,3}(?:bitte )?(?:zeig|gib|nenn|list|fass|such|sag)\p{L}*(?!\p{L})/u, told: true },
  ],
  [
    "tat ich",
    0.6,
    "ich",
    {
      says: /(?<!\p{L})(?!kann|soll|muss|darf|könnte|sollte|müsste|dürfte)(?:\p{L}+te|saß|war|lieh|schrieb|ging|kam|gab|nahm|fand|ließ|trug|sprach|traf|hatte|habe|hab) ich(?!\p{L})/u,
      asked: true,
    },
  ],
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
    0.6,
    "erwähnt|besprochen|beschlossen|vereinbart|entschieden|abgemacht|ausgemacht|empfohlen|gesagt|erzählt|versprochen|geplant|verschoben|geeinigt|festgelegt|entscheidung|ursache;grund für",
  ],
  [
    "stand",
    1.1,
    "stand|status von|der|des|bei|beim|vom;was ist der stand|status;wie weit;wie steht|läuft es|die|der|das;wo stehen;was fehlt|bleibt;was ist offen|übrig;was ist noch offen|übrig;was ist zu tun;was ist noch zu tun;gibt es neues;gibt es etwas neues",
  ],
  [
    "ist sie noch",
    0.5,
    "noch",
    {
      says: /^\W{0,3}\p{L}+ (?!Python|Java|Pluto|React|Rust|Linux|Windows|PHP)\p{Lu}\p{Ll}+ (?:immer )?noch(?!\p{L})/u,
      cased: true,
      asked: true,
    },
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
    "der agent",
    1,
    "",
    {
      first: /agent|bot|assistent/,
      says: /(?<!\p{L})(?:hat|haben|war|ist)(?!\p{L}).{0,40}(?<!\p{L})(?:der|die|unser\p{L}*) \p{L}*(?:agent|bot|assistent)(?:en|in|s)?(?!\p{L})/u,
      asked: true,
    },
  ],
  [
    "das ding",
    0.5,
    THING,
    {
      says: new RegExp(
        `\\b(?:der|die|das|den|dem|des|zur|zum|beim|im) (?:\\p{L}+ ){0,2}(?:${THING})(?!\\p{L})`,
        "u",
      ),
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
    "schreib*|erklär*|übersetz*|erstell*|berechn*|sortier*|füg*|implementier*|korrigier*|formulier*|mach*|bau*|entwirf|generier*|vergleich*|danke|hallo|entwickl*|programmier*|schließ*|lösch*|benenn*|starte*",
    { begins: true },
  ],
  ["zeige", -0.5, "zeig*|gib|nenn*|list*|fass*|such*|sag*", { begins: true }],
  [
    "vorliegend",
    -1,
    "mein|meine|meinen|meinem|meiner|diesen|diesem|dieser code|funktion|abfrage|skript|text|satz|absatz|aufsatz|programm|klasse|lebenslauf",
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
