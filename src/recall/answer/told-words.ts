import { words } from "./words.js";

/** Words that show a kind of answer, of English, German, French and Spanish together: data. */
export const MONTHS = words(
  "january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|aug|sept|oct|nov|dec|januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre",
);
export const TIMES = words(
  "mittwoch|mittwochs|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|day|days|second|seconds|minute|minutes|hour|hours|week|weeks|weekend|weekends|month|months|year|years|night|nights|nightly|morning|mornings|evening|evenings|afternoon|noon|midnight|quarter|spring|summer|autumn|winter|christmas|easter|tonight|today|yesterday|tomorrow|daily|weekly|monthly|yearly|annually|hourly|every|each|once|twice|times|until|till|since|before|after|while|when|whenever|soon|now|always|never|rarely|ago|already|longer|early|late|next|last|o'clock|tag|tage|tagen|woche|wochen|wochenende|monat|monate|monaten|monats|jahr|jahre|jahren|stunde|stunden|minuten|sekunden|nacht|nachts|morgen|morgens|abend|abends|mittag|mittags|mitternacht|frühling|sommer|herbst|weihnachten|ostern|heute|gestern|täglich|wöchentlich|monatlich|jährlich|immer|nie|jede|jeden|jeder|jedes|jedem|bis|seit|vor|nach|einmal|zweimal|nächste|nächsten|nächstes|letzte|letzten|letztes|uhr|jour|jours|semaine|semaines|mois|ans|année|années|heure|heures|nuit|nuits|matin|matins|soir|soirs|midi|minuit|été|hiver|automne|printemps|chaque|tous|toutes|toujours|jamais|avant|après|depuis|jusqu'à|jusqu'en|jusqu'au|demain|hier|prochain|prochaine|dernier|dernière|día|días|semana|semanas|meses|año|años|hora|horas|minutos|noche|noches|mañana|mañanas|tarde|tardes|cada|todos|todas|siempre|nunca|antes|después|desde|hasta|ayer|hoy|próximo|próxima|último|última",
);
export const NUMBERS = words(
  "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|dozen|half|double|several|few|both|none|nobody|no|free|single|ein|eine|einen|einer|einem|eines|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|hundert|tausend|halbe|mehrere|beide|kein|keine|keinen|kostenlos|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|vingt|cent|mille|plusieurs|aucun|aucune|gratuit|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|veinte|cien|mil|varios|ninguno|ninguna|gratis",
);
export const REASONS = words(
  "because|since|due|so|therefore|reason|reasons|cause|caused|causes|after|thanks|too|avoid|prevent|prevents|weil|da|denn|wegen|damit|deshalb|daher|darum|nachdem|grund|parce|puisque|pour|afin|grâce|après|trop|porque|por|debido|para|pues|razón|demasiado",
);
export const COLOURS = words(
  "red|blue|green|yellow|black|white|grey|gray|brown|orange|pink|purple|violet|silver|gold|golden|beige|turquoise|dark|light|rot|rote|roten|rotes|roter|blau|blaue|blauen|blaues|blauer|dunkelblau|hellblau|grün|grüne|grünen|grünes|grüner|gelb|gelbe|gelben|schwarz|schwarze|schwarzen|schwarzes|schwarzer|weiß|weiße|weißen|weißes|weißer|grau|graue|grauen|braun|braune|lila|rosa|rouge|rouges|bleu|bleue|bleus|vert|verte|verts|jaune|noir|noire|noirs|blanc|blanche|gris|grise|marron|rojo|roja|azul|azules|verde|verdes|amarillo|amarilla|negro|negra|blanco|blanca|marrón",
);
export const LIKINGS = words(
  "favourite|favorite|favourites|favorites|like|likes|liked|love|loves|loved|prefer|prefers|preferred|enjoy|enjoys|adores|fan|best|always|mostly|crazy|keen|mag|mögen|liebt|liebe|bevorzugt|bevorzuge|gern|gerne|liebsten|aime|aimes|aimé|préfère|préféré|préférée|adore|gusta|gustan|prefiere|prefiero|encanta|encantan|favorito|favorita|preferido|preferida|ama",
);
export const OPINIONS = words(
  "say|says|said|tell|tells|told|think|thinks|thought|find|finds|found|feel|feels|felt|believes|want|wants|wanted|likes|liked|loves|hates|hated|prefers|asks|asked|suggests|suggested|propose|proposed|complained|complains|mentioned|warned|insists|insisted|agree|agreed|disagreed|argued|worried|worries|concerned|opinion|considers|happy|unhappy|against|objected|reported|noted|explained|recommends|recommended|decided|sagt|sagte|gesagt|meint|meinte|gemeint|findet|fand|denkt|glaubt|wollte|möchte|mag|bittet|bat|schlug|empfiehlt|dagegen|dafür",
);
export const PLACES = words(
  "in|at|on|to|from|under|behind|near|next|above|below|inside|into|onto|outside|beside|between|around|here|home|upstairs|downstairs|im|auf|bei|beim|unter|hinter|neben|über|zu|zum|zur|aus|nach|hier|zuhause|à|au|aux|dans|chez|sous|sur|derrière|près|ici|en|al|de|del|bajo|detrás|junto|sobre|aquí|restaurant|hotel|café|church|hall|office|room|house|flat|station|airport|school|hospital|shop|store|street|road|avenue|square|park|garden|kitchen|cellar|garage|city|town|village|floor|building|bucket|cloud|repo|repository|folder|directory|drawer|shelf|address|straße|stadt|adresse|rue|ville|calle|ciudad|dirección",
);
/** Who does something may be told without a name. */
export const SOMEBODY = words(
  "team|teams|mother|father|brother|sister|mum|mom|dad|grandma|grandpa|aunt|uncle|cousin|wife|husband|partner|girlfriend|boyfriend|friend|friends|daughter|son|neighbour|neighbor|neighbours|neighbors|boss|manager|lead|owner|colleague|colleagues|landlord|landlady|tenant|engineer|engineers|developer|developers|designer|writer|author|driver|plumber|gardener|cleaner|teacher|lawyer|baker|electrician|carpenter|painter|tailor|adviser|advisor|director|maintainer|maintainers|reviewer|reviewers|founder|trainer|coach|doctor|vet|nurse|dentist|therapist|accountant|assistant|intern|student|contractor|freelancer|sweep|people|person|guild|group|department|company|agency|customer|customers|client|clients|admin|admins|staff|committee|everyone|everybody|anyone|anybody|nobody|somebody|someone|ops|legal|finance|hr|marketing|sales|support|security|freundin|kollegin|ärztin|arzt|nachbar|nachbarin|chef|chefin|niemand|jeder|alle|mutter|vater|schwester|bruder|oma|opa|équipe|mère|père|sœur|frère|voisin|voisine|personne|directeur|directrice|equipo|madre|padre|hermana|hermano|vecino|vecina|nadie|cliente|jefe|jefa",
);
/** German writes a capital behind these too, and it is no name. */
export const DETERMINERS = words(
  "der|die|das|dem|den|des|ein|eine|einen|einem|einer|eines|kein|keine|keinen|keinem|keiner|unser|unsere|unseren|unserem|unserer|mein|meine|meinen|meinem|meiner|dein|deine|sein|seine|seinen|seinem|ihr|ihre|ihren|im|am|zum|zur|beim|vom|ins|ans|alle|jede|jeder|jedes",
);
/** Behind these stands where or in what something is done, and not who does it. */
export const PLACING = words("in|at|on|into|auf|nach|aus|en|dans");
/** A sentence whose first word these follow begins with things, not with somebody. */
export const OF_SEVERAL = words(
  "are|were|have|must|should|need|do|go|get|take|run|live|follow|happen|sind|waren|haben|müssen|werden|sollen|sont|ont|doivent|son|están|deben",
);
