/** Words that only ask whether something is remembered, or how things stand, as they begin a question: one row a language, data rather than rules. */
const BEGINNINGS: readonly RegExp[] = [
  /^(?:(?:do|did|can|could|would|don['’]t|can['’]t) (?:you|u) (?:(?:still|perhaps|maybe|even|happen to|please) )?(?:remember|recall|know|tell me|remind me)|(?:please )?(?:remind me|tell me)|(?:i|we) (?:forgot|forget|have forgotten|can['’]?t (?:remember|recall)|cannot (?:remember|recall)|do(?: not|n['’]t) (?:remember|recall|know)))(?: again)?(?: (?:about|of|if|whether))?(?!\p{L})/u,
  /^(?:have|had|did) (?:i|we) (?:(?:ever|already|not) ){0,2}(?:mention(?:ed)?|tell|told|say|said|talk(?:ed)?|speak|spoken)(?: to)?(?: you)?(?: (?:about|of|that))?(?!\p{L})/u,
  /^what (?:(?:do|did) you (?:(?:still|already) )?(?:know|remember|recall|have)|(?:did|have) (?:i|we) (?:(?:ever|already) )?(?:mention(?:ed)?|tell|told|say|said|talk(?:ed)?))(?: (?:to )?you)?(?: (?:about|of|on|regarding))(?!\p{L})/u,
  /^(?:what(?:['’]?s| is| was)|any news on|tell me) the (?:(?:current|latest|present) )?(?:status|state) (?:of|on|with)(?!\p{L})|^(?:(?:current|latest) )?status (?:of|on)(?!\p{L})/u,
  /^(?:wie ist|was ist|wie lautet) der (?:(?:aktuelle|jetzige) )?(?:stand|status) (?:von|vom|der|des|bei|beim)(?!\p{L})/u,
  /^quel est (?:l['’]état|le statut) (?:actuel )?(?:de|du|des)(?!\p{L})|^cuál es el estado (?:actual )?(?:de|del)(?!\p{L})/u,
  /^(?:wei(?:ß|ss)t|kennst|erinnerst) du(?: dich)?(?: (?:noch|denn|eigentlich|vielleicht))*(?: (?:daran|an))?(?!\p{L})/u,
  /^(?:kannst|könntest) du (?:mir|dich|mich)(?: (?:bitte|noch|nochmal|noch einmal))*(?: (?:sagen|erinnern|daran erinnern|an))?(?!\p{L})/u,
  /^(?:sag(?:e)? mir|erinner(?:e)? mich|was (?:habe|hatte) ich dir|was wei(?:ß|ss)t du|(?:habe|hatte) ich dir)(?: (?:bitte|noch|nochmal|noch einmal|schon|mal|jemals|bereits))*(?: (?:über|von|zu|zum|zur|an))?(?!\p{L})/u,
  /^(?:est-ce que )?(?:tu te (?:souviens|rappelles)|te (?:souviens|rappelles)-tu|vous (?:souvenez|rappelez)-vous|vous vous (?:souvenez|rappelez)|tu (?:sais|connais)|(?:sais|connais)-tu|savez-vous)(?: encore)?(?: (?:de|du|des|si))?(?!\p{L})/u,
  /^(?:(?:peux-tu|pourrais-tu|pouvez-vous|tu peux) me (?:rappeler|dire)|rappelle-moi|dis-moi|qu['’]est-ce que je t['’]ai dit|que t['’]ai-je dit|(?:est-ce que je t['’]ai|t['’]ai-je)(?: déjà)? (?:parlé|dit|mentionné))(?: (?:de|du|des|sur|à propos de|à propos du|si))?(?!\p{L})/u,
  /^(?:te acuerdas|se acuerda|recuerdas|recuerda usted|sabes|sabe usted)(?: (?:todavía|aún))?(?: (?:de|del|si))?(?!\p{L})/u,
  /^(?:(?:puedes|podrías|me puedes|me podrías) (?:recordarme|decirme|recordar|decir)|recuérdame|dime|qué (?:te (?:dije|conté|he dicho|he contado)|sabes|recuerdas)|te (?:dije|conté|mencioné|he (?:dicho|contado|mencionado))(?: alguna vez)?)(?: (?:de|del|sobre|acerca de|si))?(?!\p{L})/u,
  /^(?:你|您)?(?:还|是否|还能)?(?:记得|记不记得|知道|知不知道|想得起来?)(?:关于)?/u,
  /^(?:请|能不能|可以|能|你能)*(?:提醒我|告诉我)(?:一下)?/u,
  /^(?:我|我们)(?:之前|以前)?(?:有没有|是不是)?(?:跟|和|对|向)?(?:你)?(?:说过|提过|提到过|讲过|告诉过你)(?:关于)?/u,
];

/** What may stand before or after it, in any of them. */
const POLITE =
  /^(?:[\s,.!¿¡，。]|(?:hey|hi|hello|ok|okay|so|well|and|please|hallo|bitte|bonjour|salut|hola|oye|por favor)(?=[\s,!]))+/u;
const ENDINGS =
  /(?<![\s,，])[\s,，]+(?:do you (?:still )?(?:remember|recall|know)|(?:that )?you (?:know|remember) of|to you|if you (?:remember|know)|again|please|wei(?:ß|ss)t du (?:das )?noch|gesagt|erzählt|erwähnt|bitte|te souviens-tu|s['’]il te plaît|te acuerdas|por favor)(?=\s*[?？!.]*$)|(?:你)?(?:还)?(?:记得)?吗(?=[?？]*$)|(?<=^what does (?:the |our )?\S{0,40}[\d/_#-]\S{0,40}) says?(?=\s*[?？!.]*$)/u;

const MOST = 3;
/** A longer prompt is more than a question in such a frame. */
const LONGEST = 500;

/**
 * What a question is about, without the words that ask whether that is remembered: they are in no memory, and a search for
 * them finds others. A question of such words alone stays as it is.
 */
export function withoutFrame(question: string): string {
  if (question.length > LONGEST) return question;
  let rest = question;
  for (let time = 0; time < MOST; time++) {
    const before = rest;
    rest = without(rest, POLITE);
    for (const beginning of BEGINNINGS) rest = without(rest, beginning).trimStart();
    rest = without(rest, ENDINGS);
    if (rest === before) break;
  }
  return /[\p{L}\p{N}]/u.test(rest) ? rest : question;
}

/** Patterns are in small letters: those of either case take many times as long to compile. Few letters change their length. */
function without(text: string, pattern: RegExp): string {
  const small = text.toLowerCase();
  const found = small.length === text.length ? pattern.exec(small) : null;
  return found ? text.slice(0, found.index) + text.slice(found.index + found[0].length) : text;
}
