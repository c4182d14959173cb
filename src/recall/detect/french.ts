import { cues } from "./cue.js";

export const FRENCH = cues(() => [
  ["nous", 0.9, "nous|notre|nos;on a|avait|est|était;on s est;a|avait t on"],
  ["à nous", 0.3, "notre|nos|avions|avons|étions;on avait", { asked: true }],
  ["mien", 1, "mon|ma|mes|moi;ai je;j ai|avais", { asked: true }],
  ["je", 0.5, "je|j|me|m", { asked: true }],
  ["goût", 0.7, "préfér*|préfèr*|allerg*;j aime;d habitude;habituel*"],
  [
    "hier",
    0.8,
    "hier|récemment|précédemment|auparavant;la dernière fois;semaine|mois|année dernière|dernier|passé|passée;tout à l heure;jusqu ici;jusqu à présent;ce matin;depuis quand;la session précédente;notre dernière",
  ],
  [
    "il y a",
    0.8,
    "il y a",
    { says: /\bil y a (?:\p{L}+ ){1,3}(?:jours?|semaines?|mois|heures?|ans?)(?!\p{L})/u },
  ],
  [
    "souvenir",
    0.9,
    "souviens|souvient|rappelle|rappelles|rappeller|oublié*;m as dit|parlé|recommandé|conseillé|promis;tu sais où|quel|que j|nous|on|je",
  ],
  [
    "dit",
    0.5,
    "décidé*|convenu*|discuté*|parlé*|choisi|choisie|choisis|choisies|recommandé*|prévu*|promis|promise|promises|dit|dite|dits|dites|mentionné*|décision|décisions|raison|raisons|cause|causes",
  ],
  [
    "où en est",
    1.2,
    "où en est|sont|sommes|étions|étais|était;en est on;on en est où;état de l;état du|des|d;avancement;que reste;qu est ce qu il reste;reste t il;ça avance;des nouvelles de|du;comment avance|va|se la|le|l|notre;comment se passe la|le|l|notre",
  ],
  ["encore", 0.6, "encore|toujours|déjà|actuellement;en ce moment", { asked: true }],
  [
    "fini",
    0.5,
    "terminé*|fini|finie|finis|finies|corrigé*|fusionné*|réglé*|prêt|prête|prêts|prêtes|fermé*|résolu*|déployé*|bloqué*|cassé*|ouvert|ouverte|ouverts|ouvertes|validé*|livré*",
    { asked: true },
  ],
  [
    "qui",
    1.1,
    "qui travaille|gère;qui s occupe;qui est responsable|chargé|chargée",
    {
      says: /\bqui (?:travaille|s['’]occupe|est (?:responsable|chargée?)|gère)\b.{0,10}\b(?:sur|de|du|des)? ?(?:le|la|les|l['’]|notre|du)(?!\p{L})/u,
    },
  ],
  [
    "qu'a fait",
    1,
    "fait|dit|répondu|fini|voulu|terminé|envoyé",
    {
      says: /\bqu['’](?:est-ce qu['’]|a |est-ce que )\p{Lu}?\p{L}+.{0,20}\b(?:fait|dit|répondu|fini|voulu)\b|^\W{0,3}est-ce qu(?:e |['’])(?!on\b|tous|quelqu)\p{Lu}\p{L}+ a (?:fini|répondu|terminé|envoyé|dit)/u,
      cased: true,
    },
  ],
  [
    "la chose",
    0.5,
    "migration|version|panne|déploiement|déménagement|rendez|facture|projet|réunion|serveur|ticket|bogue|bug|refonte|base|contrat|sprint|configuration|service|lancement|tableau|livraison|voyage",
    {
      says: /\b(?:la|le|l['’]|du|au) ?(?:\p{L}+ ){0,1}(?:migration|version|panne|déploiement|déménagement|rendez-vous|facture|projet|réunion|serveur|ticket|bogue|bug|refonte|base de données|contrat|sprint|configuration|service|lancement|tableau de bord|livraison|voyage)(?!\p{L})/u,
      asked: true,
    },
  ],
  ["était", 0.4, "était|étaient|avait;a|ont été;s est passé", { asked: true }],
  [
    "plan",
    0.5,
    "prévu|planifié|agenda|échéance|demain;semaine|mois|lundi|mardi|mercredi|jeudi|vendredi prochain|prochaine",
    { asked: true },
  ],
  [
    "suite",
    1.1,
    "reprend|reprends|reprenons|continue|continuons;comme",
    {
      says: /\b(?:reprends?|reprenons|continue|continuons)\b.{0,40}\b(?:où|laissé|arrêté|hier)(?!\p{L})|\bcomme d['’]habitude\b|\bcomme (?:convenu|la dernière fois|avant)\b/u,
    },
  ],
  [
    "retiens",
    -2,
    "souviens|retiens|note|notez|oublie|rappelle",
    {
      says: /^\W{0,3}(?:s['’]il te plaît,? )?(?:souviens-toi (?:que|qu['’]|de)|retiens|notez?\b|n['’]oublie pas|rappelle-moi (?:de\b|d['’]))/,
      told: true,
    },
  ],
  [
    "raconté",
    -1.2,
    "nous|on|j|je",
    {
      says: /^\W{0,3}(?:nous |on |j['’]|je )(?!ai oublié|ne (?:me|sais)|n['’]|voudrais|veux|cherche|me demande)/,
      told: true,
    },
  ],
  [
    "fais",
    -1,
    "",
    {
      says: /^\W{0,3}(?:s['’]il te plaît |peux-tu |pouvez-vous )?(?:écri|rédig|expliqu|tradui|montr|donne|calcul|cré|génèr|corrig|fais|trie|compar|merci|bonjour|ajout|dessin|invent|compos|résum|mets |lance|supprim|renomm)/,
    },
  ],
  [
    "comment faire",
    -1,
    "comment puis je;comment faire|créer|fonctionne*;comment peut on;comment je peux;comment dois je;comment on fait",
  ],
  ["sens", -0.6, "que signifie;différence entre;qu est ce qu un|une;en général;dans le monde;un exemple"],
]);
