/**
 * Patterns of more than linear time that read no more than so much of what others wrote, each by its first characters: a
 * new one is not let through because of the file it stands in. bench/hostile.mjs sends the texts that make each of them slow
 * through every door.
 */
export const BOUNDED: Readonly<Record<string, { readonly by: string; readonly starts: readonly string[] }>> =
  {
    "care/receipt.ts": {
      by: "words of one erasure that the program cut itself",
      starts: ["=+$"],
    },
    "documents/org.ts": {
      by: "200 characters behind each word; one look from each run of blanks",
      starts: [String.raw`\b(CLOSED|DEADLINE|SCHEDULED):`, "(?<![ \\t])[ \\t]+$"],
    },
    "palace/drawer-file.ts": {
      by: "a comment beside it says how",
      starts: [String.raw`(?<![ \t])[ \t]*<!-- \^`, "\\n?[ \\t]*<!-- contested[\\s\\S]*?-->"],
    },
    "documents/import/notes.ts": {
      by: "120 characters before a link and 200 in it, of one line",
      starts: [String.raw`^[^\S\r\n\u2028\u2029]*[-*][^\S\r\n\u2028\u2029]+(?!\s)([^\][\r\n]{0,120})`],
    },
    "documents/import/gcc.ts": {
      by: "a comment beside it says how",
      starts: [" \\(from .{1,300}?\\):"],
    },
    "doors/cli/completions.ts": {
      by: "descriptions of our own commands",
      starts: ["\\(.*?\\)"],
    },
    "doors/cli/kept-code.ts": {
      by: "names of our own folders",
      starts: ["^[a-z-]+-v\\d+\\.\\d+\\.\\d+[\\w.-]*-[a-z0-9]+-\\d+(?:\\.\\d+)?$"],
    },
    "doors/cli/program.ts": {
      by: "a message of the parser about one argument",
      starts: ["\\(Did you mean (.+)\\?\\)"],
    },
    "doors/cli/show.ts": {
      by: "digits of a number",
      starts: ["\\B(?=(?:\\d{3})+$)"],
    },
    "gate/detect/assignment.ts": {
      by: "reads on only behind an assignment",
      starts: ["(?:pass(?:word|wort|phrase|wd|ord)|pwd?|kennwort|senha|mot d"],
    },
    "gate/detect/credential.ts": {
      by: "one value of an assignment",
      starts: ["[!@#$%^*]\\S*\\p{L}"],
    },
    "gate/detect/personal.ts": {
      by: "64 characters before an @",
      starts: ["[\\p{L}\\p{N}._%+'-]{1,64}$"],
    },
    "gate/likeness/relation.ts": {
      by: "3,600 characters (LONGEST)",
      starts: [
        " not (.+) any ?more$",
        " (?:do not|don't) (.+) any ?more$",
        " (?:does not|doesn't) (.+) any ?more$",
        "^(.+?) (?:has |have )?(?:moved|relocated) from (.+) to (.+)$",
      ],
    },
    "mind/extract/clauses.ts": {
      by: "600 characters a quotation",
      starts: ['"[^"\\n]{2,600}"|“[^”\\n]{2,600}”|„[^“”\\n]{2,600}[“”]|«[^»\\n]{'],
    },
    "mind/extract/english-words.ts": {
      by: "one clause",
      starts: ["\\s+\\|"],
    },
    "mind/extract/english-speaker.ts": {
      by: "one clause (LONGEST)",
      starts: [
        "^[Ii] (?:(?:really|absolutely|also|totally|just|still|always|u",
        "^(?:[Ii]|[Ww]e) (?:no longer|stopped|quit|gave up|don['’]t) (?",
      ],
    },
    "mind/extract/extract.ts": {
      by: "one clause or sentence (LONGEST)",
      starts: [
        "\\b(?:actually|no,? wait|scratch that|no longer|any ?more|ins",
        "(?<![\\s.!。！…])[\\s.!。！…]+$",
        "^\\s*(?:(?:no|oh|sorry|oops|wait|hm+|ah|nein|perdón)[,. ]+)*(?:",
        "^\\s*(?:(?:please|ok|okay|and|also|can you|could you|hey)[, ]+)",
        "\\b(?:LOVE|ADORE|ENJOY|LIKE)\\b(?=.{0,400}\\p{Ll})",
      ],
    },
    "mind/extract/phrase.ts": {
      by: "one clause (LONGEST)",
      starts: [
        "(?<![\\s,])[\\s,]+(?:too|as well|also|now|a lot|so much|very m",
        "(?<![\\s.,!?])[\\s.,!?]+$",
        "(?<!\\s)\\s+(?:last|this|next|since|for|about|in (?=\\d)|on (?=",
      ],
    },
    "mind/model/ask.ts": {
      by: "a comment beside it says how",
      starts: ["<think>[\\s\\S]*?<\\/think>"],
    },
    "mind/verbs/heartbeat.ts": {
      by: "a comment beside it says how",
      starts: ["<!--[\\s\\S]*?-->"],
    },
    "recall/detect/chinese.ts": {
      by: "1,000 characters of a prompt (GLANCE)",
      starts: [
        "^(?:请|请你|帮我|麻烦你?)*(?:记住|记一下|记下|别忘了|不要忘)|(?:明天|后天|今晚|下周|[点时]钟",
      ],
    },
    "recall/detect/common.ts": {
      by: "1,000 characters of a prompt (GLANCE)",
      starts: ["#(?:[0-9a-f]{3}|[0-9a-f]{6})\\b.{0,40}\\b(?:colou?r|css|hex)\\b"],
    },
    "recall/detect/detect-recall.ts": {
      by: "1,000 characters of a prompt (GLANCE)",
      starts: ['```[\\s\\S]{0,5000}?(?:```|$)|`[^`\\n]{1,300}`|"[^"\\n]{1,300}"|'],
    },
    "recall/detect/english-matters.ts": {
      by: "1,000 characters of a prompt (GLANCE)",
      starts: ["\\b(?:pick up|continue|resume|carry on|go on|proceed)\\b.{0,60"],
    },
    "recall/detect/english.ts": {
      by: "1,000 characters of a prompt (GLANCE)",
      starts: [
        "\\b(?:what|which|who|whom|whose|where|when|why|how (?:many|mu",
        "\\b(?:what|which|who|where|when|how (?:often|much|many|long))",
        "\\b(?:favou?rite|prefer(?:red|ence)?s?|usual(?:ly)?|normally|",
        "\\b(?:said|mentioned|told|asked|discussed|used|tried|saw|seen",
      ],
    },
    "recall/detect/frame.ts": {
      by: "8,000 characters (glanceAt)",
      starts: ["(?<![\\s,，])[\\s,，]+(?:do you (?:still )?(?:remember|recall|kn"],
    },
    "recall/detect/french.ts": {
      by: "1,000 characters of a prompt (GLANCE)",
      starts: ["(?<!\\p{L})(?:quel\\p{L}*|où|qui|combien|à quelle)(?!\\p{L}).{0"],
    },
    "recall/detect/german.ts": {
      by: "1,000 characters of a prompt (GLANCE)",
      starts: [
        "\\bwelche\\w* [\\p{L}-]+ war (?:das|es)(?!\\p{L})",
        "\\b(?:was|welche\\w*|wen|wo|wann|wie oft|wie viele?)\\b.{0,60}\\",
        "\\bwas (?:hat|macht|wollte) (?!python|java|google|apple|micro",
        "(?<!\\p{L})(?:hat|haben|war|ist)(?!\\p{L}).{0,40}(?<!\\p{L})(?:",
        "\\b(?:mach|machen wir|weiter)\\b.{0,60}\\b(?:aufgehört|stehen ?",
      ],
    },
    "recall/detect/spanish.ts": {
      by: "1,000 characters of a prompt (GLANCE)",
      starts: ["(?<!\\p{L})(?:ha|había|hizo|dijo|\\p{L}{3,}ó)(?!\\p{L})"],
    },
    "storage/postgres/server.ts": {
      by: "a message of the driver",
      starts: ["connection (terminated|ended|error)|timeout.{0,200}connect|n"],
    },
    "doors/cli/connect/jsonc.ts": {
      by: "a person's own settings; it is never made to go back",
      starts: ["(?:\\s|\\/\\/[^\\n]*\\n?|\\/\\*[\\s\\S]*?\\*\\/)*"],
    },
    "doors/cli/connect/toml.ts": {
      by: "a person's own settings",
      starts: [
        "\"\"\"[\\s\\S]*?\"\"\"|'''[\\s\\S]*?'''|\"(?:[^\"\\\\\\n]|\\\\.)*\"|'[^'\\n]*'|",
        "^\\s*\\[\\[?(.*?)\\]\\]?\\s*(?:#.*)?$",
        "\"((?:[^\"\\\\]|\\\\.)*)\"|'([^']*)'|([A-Za-z0-9_-]+)",
      ],
    },
  };
