import { cues } from "./cue.js";

const THING =
  "propriétaire|fournisseur|comptable|avocat|bureau|passe|wifi|logo|refonte|client|cliente|clients|devis|école|appartement|cuisine|jardin|voiture|hôtel|restaurant|stagiaire|certificat|campagne|présentation|branche|sauvegarde|sauvegardes|budget|production|migration|version|panne|déploiement|déménagement|rendez|vous|facture|projet|réunion|serveur|ticket|bogue|bug|refonte|base|données|contrat|sprint|configuration|service|lancement|tableau|bord|livraison|voyage";

export const FRENCH = cues(() => [
  ["nous", 0.9, "nous|notre|nos;on a|avait|est|était;on s est;a|avait t on"],
  ["à nous", 0.3, "notre|nos|avions|avons|étions;on avait", { asked: true }],
  ["mien", 1, "mon|ma|mes|moi;ai je;j ai|avais", { asked: true }],
  ["je", 0.5, "je|j|me|m", { asked: true }],
  [
    "je fais",
    0.6,
    "je|j",
    {
      says: /(?<!\p{L})(?:quel\p{L}*|où|qui|combien|à quelle)(?!\p{L}).{0,60} (?:je |j['’])(?!dois|peux|devrais|pourrais|fais|vais|ai )\p{L}+(?!\p{L})/u,
      asked: true,
    },
  ],
  [
    "le seul",
    1,
    "propriétaire|bureau|budget|réunion|client|cliente|fournisseur|contrat|facture|rendez|atelier|mariage|fête|plombier|dentiste|vol|réservation|stagiaire|chef|comptable|wifi|clé|clef|lancement|sprint|démo|campagne|présentation|devis|livraison|appartement|chargeur",
    {
      says: /^\W{0,3}(?:qui|où|quand|combien|jusqu['’]à quand|à qui|pour quand)(?!\p{L}).{0,60}(?<!\p{L})(?:le |la |l['’]|du |au |aux |des )/u,
    },
  ],
  [
    "montre-nous",
    1.5,
    "notre|nos|nous|on|mon|ma|mes",
    { says: /^\W{0,3}(?:montr|donne|résum|list|cherch|dis)\p{L}*(?!\p{L})/u, told: true },
  ],
  ["d'accord", 0.6, "mis|mise|tombés d accord;on s était", { asked: true }],
  ["je faisais", 0.6, "je|j", { says: /(?<!\p{L})(?:je |j['’])\p{L}+ais(?!\p{L})/u, asked: true }],
  ["l'a-t-on fait", 0.6, "t on", { asked: true }],
  ["oublié", 1.1, "j ai oublié;je ne me souviens|rappelle;je ne sais plus"],
  [
    "a-t-il fait",
    1,
    "est ce que|qu;a t il|elle",
    {
      says: /^\W{0,3}est-ce qu(?:e |['’])(?:le|la|les|l['’]|mon|ma|mes) ?\p{L}+ (?:a|ont|est|sont) (?:déjà |bien |enfin )?\p{L}*(?:é|i|u|is|it)e?s?(?!\p{L})/u,
    },
  ],
  ["pensait", 0.6, "pensait|voulait|disait|proposait|préférait|souhaitait|demandait", { asked: true }],
  ["le point", 2.2, "fais|fait|faisons moi un|le point|résumé;fais le point;mets|mettez moi au courant"],
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
    0.6,
    "décidé*|convenu*|discuté*|parlé*|choisi|choisie|choisis|choisies|recommandé*|prévu*|promis|promise|promises|dit|dite|dits|dites|mentionné*|décision|décisions|raison|raisons|cause|causes",
  ],
  [
    "où en est",
    1.2,
    "où en est|sont|sommes|étions|étais|était;en est on;on en est où;état de l;état du|des|d;avancement;que reste;qu est ce qu il reste;reste t il;ça avance;des nouvelles de|du;comment avance|va|se la|le|l|notre;comment se passe la|le|l|notre",
  ],
  [
    "est-elle encore",
    0.5,
    "encore|toujours",
    {
      says: /(?<!\p{L})(?!Python|Java|Pluton|React|Rust|Linux|Windows|PHP)\p{Lu}\p{Ll}+ (?:est|travaille|habite|vit) (?:encore|toujours)(?!\p{L})/u,
      cased: true,
      asked: true,
    },
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
    "l'agent",
    1,
    "l agent|assistant;le bot|robot;notre agent|bot|assistant",
    { says: /(?<!\p{L})(?:a|ont|avait|a-t-il|fini|fait)(?!\p{L})/u, asked: true },
  ],
  [
    "la chose",
    0.6,
    THING,
    {
      says: new RegExp(`\\b(?:la|le|l['’]|du|au) ?(?:\\p{L}+ ){0,1}(?:${THING})(?!\\p{L})`, "u"),
      asked: true,
    },
  ],
  ["était", 0.4, "était|étaient|avait;a|ont été;a t il|elle;s est passé", { asked: true }],
  [
    "plan",
    0.5,
    "prévu|prévue|prévus|prévues|planifié|agenda|échéance|demain;semaine|mois|lundi|mardi|mercredi|jeudi|vendredi prochain|prochaine",
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
    "écri*|rédig*|expliqu*|tradui*|calcul*|cré*|génèr*|corrig*|fais|trie*|compar*|merci|bonjour|ajout*|dessin*|invent*|compos*|mets|lance*|supprim*|renomm*|ferm*|regard*",
    { begins: true },
  ],
  ["montre", -0.5, "montr*|donne*|résum*|list*|cherch*", { begins: true }],
  [
    "sous la main",
    -1,
    "mon|ma|mes|ce|cette code|fonction|requête|script|texte|phrase|paragraphe|programme|classe|cv;j ai un|une|des|deux",
  ],
  [
    "comment faire",
    -1,
    "comment puis je;comment faire|créer|fonctionne*;comment peut on;comment je peux;comment dois je;comment on fait",
  ],
  ["sens", -0.6, "que signifie;différence entre;qu est ce qu un|une;en général;dans le monde;un exemple"],
]);
