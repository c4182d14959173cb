import { cues } from "./cue.js";

const DONE =
  "fertig|erledigt|behoben|gelöst|gemerge?[dt]|geschlossen|blockiert|kaputt|offen|bereit|repariert|veröffentlicht|freigegeben|abgeschlossen|überfällig";

export const GERMAN = cues(() => [
  ["wir", 0.8, /\b(?:wir|uns|unser\w*)\b/i],
  [
    "haben wir",
    0.5,
    /\b(?:haben|hatten|waren|sind|wollten) wir\b|\b(?:habe|hatte|wollte) ich\b|\bdu (?:hast|hattest)\b|\bhast du\b|\bwir\b.{0,60}\b(?:haben|hatten)\b/i,
  ],
  ["mein", 1, /\b(?:mein\w*|mir|mich)\b/i, { asked: true }],
  ["ich", 0.5, /\bich\b/i, { asked: true }],
  [
    "was mag ich",
    0.7,
    /\b(?:was|welche\w*|wen|wo|wann|wie oft|wie viele?)\b.{0,60}\b(?:mag|trage|trinke|esse|nutze|bevorzuge|habe|arbeite|wohne|brauche) ich\b|\blieblings\w+|\bam liebsten\b|\bwie üblich\b|\bnormalerweise\b|\ballergi/i,
  ],
  [
    "früher",
    0.8,
    /\b(?:gestern|vorgestern|letzte\w* (?:woche|mal|monat|jahr|sitzung|besprechung|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)|letztens|neulich|vorhin|vorher|bisher|damals|zuletzt|kürzlich|seit wann|heute (?:morgen|früh)|vor \w+ (?:\w+ )?(?:tag|woche|stunde|monat|jahr|minute)\w*|wie lange ist es her)\b/iu,
  ],
  [
    "merken",
    0.8,
    /\b(?:erinner\w*|weißt du noch|gemerkt|vergessen|wie hieß\w*|wie war noch|nochmal\b.{0,20}\?)/iu,
  ],
  [
    "gesagt",
    0.5,
    /\b(?:erwähnt|besprochen|beschlossen|vereinbart|entschieden|abgemacht|ausgemacht|empfohlen|gesagt|erzählt|versprochen|geplant|verschoben|geeinigt|festgelegt|entscheidung|grund für|ursache)\b/iu,
  ],
  [
    "stand",
    1.1,
    /\b(?:stand|status) (?:von|der|des|bei|beim|vom)\b|\bwas ist der (?:stand|status)\b|\bwie weit\b|\bwie (?:steht|läuft) (?:es|die|der|das)\b|\bwo stehen\b|\bwas (?:fehlt|bleibt|ist (?:noch )?(?:offen|übrig|zu tun))\b|\bgibt es (?:etwas )?neues\b/iu,
  ],
  ["noch", 0.6, /\b(?:noch|schon|bereits|gerade|derzeit|momentan)\b/i, { asked: true }],
  ["zustand", 0.5, new RegExp(`\\b(?:${DONE})\\b`, "iu"), { asked: true }],
  [
    "wer",
    1.1,
    /\bwer (?:arbeitet|kümmert|ist (?:zuständig|verantwortlich)|betreut|bearbeitet|macht)\b.{0,20}\b(?:an|um|für|gerade)? ?(?:der|dem|den|die|das|unser\w*)\b/i,
  ],
  [
    "was hat sie",
    1,
    /\bwas (?:hat|macht|wollte) (?!Python|Java|Google|Apple|Microsoft|Linux|die\b|der\b|das\b|man\b|es\b)\w+(?: \w+){0,3} (?:gemacht|gesagt|erledigt|geantwortet|geschrieben|versprochen|gewollt|gerade|herausgefunden)\b|^\W{0,3}hat (?!jemand|man|es|die|der|das|ein)\w+\b.{0,40}\b(?:geantwortet|fertig|erledigt|gemacht|geschickt|angerufen|zugesagt)\b/iu,
  ],
  [
    "das ding",
    0.5,
    /\b(?:der|die|das|den|dem|des|zur|zum|beim|im) (?:\w+ ){0,2}(?:migration|release|ausfall|deployment|umzug|termin|rechnung|projekts?|besprechung|builds?|servers?|tickets?|fehlers?|bugs?|refactoring|datenbank|vertrag|sprints?|umstellung|konfiguration|dienst|staging\w*|pipeline|dashboards?|angebot|lieferung|reise|arzt|zahnarzt)\b/iu,
    { asked: true },
  ],
  ["war", 0.4, /\b(?:war|waren|wurde|wurden|hat|hatte|passiert)\b/i, { asked: true }],
  [
    "plan",
    0.5,
    /\b(?:geplant|steht an|ansteht|termin|fällig|kalender|nächste\w* (?:woche|monat|montag|dienstag|mittwoch|donnerstag|freitag|schritte?)|morgen)\b/iu,
    { asked: true },
  ],
  [
    "weiter",
    1.2,
    /\b(?:mach|machen wir|weiter)\b.{0,60}\b(?:aufgehört|stehen ?geblieben|wo (?:wir|ich))\b/iu,
  ],
  ["wie immer", 1, /\bwie (?:immer|gehabt|besprochen|vereinbart|beim letzten mal)\b/i],
  [
    "mache",
    -1,
    /^\W{0,3}(?:bitte |kannst du |könntest du )?(?:schreib|erklär|übersetz|erstell|zeig|gib|nenn|berechn|sortier|füge?|implementier|korrigier|formulier|mach|bau|entwirf|generier|list|vergleich|danke|hallo|fass|entwickl|programmier)\w*/iu,
  ],
  [
    "wie geht",
    -1,
    /\bwie (?:kann|soll|mache|schreibe|installiere|erstelle|bekomme|finde|sehe|lösche|ändere) (?:ich|man)\b|\bwie (?:geht|funktioniert)\b/i,
  ],
  [
    "bedeutung",
    -0.6,
    /\bwas (?:bedeutet|ist eine?)\b|\bunterschied zwischen\b|\bim allgemeinen\b|\bweltweit\b|\bbeispiel für\b|\bsollen wir\b|\bwarum funktioniert mein\w* code\b/i,
  ],
]);
