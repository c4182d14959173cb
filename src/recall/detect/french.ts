import { cues } from "./cue.js";

export const FRENCH = cues(() => [
  ["nous", 0.9, /\b(?:nous|notre|nos|avons-nous)\b|\bon (?:a|avait|est|était|s['’]est)\b|\ba-t-on\b/i],
  ["mien", 1, /\b(?:mon|ma|mes|moi|ai-je|j['’]ai|j['’]avais)\b/i, { asked: true }],
  ["je", 0.5, /\b(?:je|j['’]\w+|me|m['’]\w+)\b/i, { asked: true }],
  ["goût", 0.7, /\bpréf[éè]r\w+|\bj['’]aime\b|\bd['’]habitude\b|\bhabituel\w*\b|\ballerg/iu],
  [
    "hier",
    0.8,
    /\b(?:hier|avant-hier|la dernière fois|(?:la semaine|le mois|l['’]année) (?:dernière|dernier|passée?)|récemment|tout à l['’]heure|jusqu['’](?:ici|à présent)|il y a (?:\w+ ){1,3}(?:jours?|semaines?|mois|heures?|ans?)|ce matin|depuis quand|précédemment|auparavant|la session précédente|notre dernière)(?![\p{L}])/iu,
  ],
  [
    "souvenir",
    0.9,
    /\bsouvien[st]\b|\brappelle[sr]?\b|\boublié|\bm['’]as (?:dit|parlé|recommandé|conseillé|promis)\b|\btu sais (?:où|quel|que) (?:j|nous|on)/iu,
  ],
  [
    "dit",
    0.5,
    /(?<!\p{L})(?:décidé|convenu|discuté|parlé|choisi|recommandé|prévu|promis|dit|mentionné|décision|raison|cause)e?s?(?!\p{L})/iu,
  ],
  [
    "où en est",
    1.2,
    /(?<!\p{L})où en (?:est|sont|sommes|étions|étais|était)|\ben est-on\b|\bon en est où\b|\bétat (?:de l|du|des|d['’])|\bavancement\b|\b(?:que|qu['’]est-ce qu['’]il) reste\b|\breste-t-il\b|\bça avance\b|\bdes nouvelles (?:de|du)\b|\bcomment (?:avance|va|se passe) (?:la|le|l['’]|notre)/iu,
  ],
  ["encore", 0.6, /\b(?:encore|toujours|déjà|en ce moment|actuellement)\b/iu, { asked: true }],
  [
    "fini",
    0.5,
    /(?<!\p{L})(?:terminé|fini|corrigé|fusionné|réglé|prêt|fermé|résolu|déployé|bloqué|cassé|ouvert|validé|livré)e?s?(?!\p{L})/iu,
    { asked: true },
  ],
  [
    "qui",
    1.1,
    /\bqui (?:travaille|s['’]occupe|est (?:responsable|chargée?)|gère)\b.{0,10}\b(?:sur|de|du|des)? ?(?:le|la|les|l['’]|notre|du)(?!\p{L})/iu,
  ],
  [
    "qu'a fait",
    1,
    /\bqu['’](?:est-ce qu['’]|a |est-ce que )\p{Lu}?\p{L}+.{0,20}\b(?:fait|dit|répondu|fini|voulu)\b|^\W{0,3}est-ce qu(?:e |['’])(?!on\b|tous|quelqu)\p{Lu}\p{L}+ a (?:fini|répondu|terminé|envoyé|dit)/u,
  ],
  [
    "la chose",
    0.5,
    /\b(?:la|le|l['’]|du|au) ?(?:\p{L}+ ){0,1}(?:migration|version|panne|déploiement|déménagement|rendez-vous|facture|projet|réunion|serveur|ticket|bogue|bug|refonte|base de données|contrat|sprint|configuration|service|lancement|tableau de bord|livraison|voyage)(?!\p{L})/iu,
    { asked: true },
  ],
  [
    "était",
    0.4,
    /(?<!\p{L})(?:était|étaient|a été|ont été|s['’]est passé|avait)(?!\p{L})/iu,
    { asked: true },
  ],
  [
    "plan",
    0.5,
    /(?<!\p{L})(?:prévu|planifié|agenda|échéance|demain|(?:semaine|mois|lundi|mardi|mercredi|jeudi|vendredi) prochaine?)(?!\p{L})/iu,
    { asked: true },
  ],
  [
    "suite",
    1.1,
    /\b(?:reprends?|reprenons|continue|continuons)\b.{0,40}\b(?:où|laissé|arrêté|hier)(?!\p{L})|\bcomme d['’]habitude\b|\bcomme (?:convenu|la dernière fois|avant)\b/iu,
  ],
  [
    "fais",
    -1,
    /^\W{0,3}(?:s['’]il te plaît |peux-tu |pouvez-vous )?(?:écri|rédig|expliqu|tradui|montr|donne|calcul|cré|génèr|corrig|fais|trie|compar|merci|bonjour|ajout|dessin|invent|compos)\p{L}*/iu,
  ],
  ["comment faire", -1, /\bcomment (?:puis-je|faire|peut-on|je peux|créer|dois-je|on fait|fonctionne)/iu],
  [
    "sens",
    -0.6,
    /\bque signifie\b|\bdifférence entre\b|\bqu['’]est-ce qu['’]une?\b|\ben général\b|\bdans le monde\b|\bun exemple\b/iu,
  ],
]);
