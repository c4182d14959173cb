import { cues } from "./cue.js";

export const SPANISH = cues(() => [
  [
    "nosotros",
    0.9,
    /(?<!\p{L})(?:nosotros|nuestr[oa]s?|hemos|habíamos|estábamos|quedamos|\p{L}{3,}(?:amos|imos))(?!\p{L})/iu,
  ],
  ["mío", 1, /(?<!\p{L})(?:mi|mis|mí|mío|mía)(?!\p{L})/iu, { asked: true }],
  ["yo", 0.5, /(?<!\p{L})(?:yo|me|he|dije|quería|tengo|uso)(?!\p{L})/iu, { asked: true }],
  [
    "gusto",
    0.7,
    /(?<!\p{L})(?:favorit[oa]s?|preferid[oa]s?|prefiero|me gustan?|suelo|siempre|alérgic[oa]|alergia)(?!\p{L})/iu,
  ],
  [
    "ayer",
    0.8,
    /(?<!\p{L})(?:ayer|anteayer|anoche|la última vez|la semana pasada|el (?:mes|año|lunes|martes|miércoles|jueves|viernes) pasado|hace (?:\p{L}+|\d+) (?:días?|semanas?|meses|mes|horas?|años?)|hace (?:poco|un rato)|recientemente|hasta ahora|esta mañana|desde cuándo|anteriormente|la sesión anterior)(?!\p{L})/iu,
  ],
  [
    "recordar",
    0.9,
    /(?<!\p{L})(?:recuerdas?|recuérdame|acuerdas|olvid[éo]|olvidado|dijiste|contaste|recomendaste|mencion\p{L}+|prometi\p{L}+|cómo se llamaba|sabes (?:mi|dónde|qué))(?!\p{L})/iu,
  ],
  [
    "dicho",
    0.5,
    /(?<!\p{L})(?:decidi\p{L}+|acord\p{L}+|dicho|hablado|elegi\p{L}+|decisión|motivo|razón|causa|planead[oa]|previst[oa])(?!\p{L})/iu,
  ],
  [
    "cómo va",
    1.2,
    /(?<!\p{L})(?:cómo van?|en qué (?:estado|punto|fase) |estado (?:de|del)|avance (?:de|del)|qué (?:falta|queda)|dónde (?:estamos|quedamos|lo dejamos)|en qué (?:quedamos|estábamos)|hay novedades)(?!\p{L})/iu,
  ],
  [
    "todavía",
    0.6,
    /(?<!\p{L})(?:todavía|aún|ya|sigue|siguen|ahora mismo|actualmente)(?!\p{L})/iu,
    { asked: true },
  ],
  [
    "hecho",
    0.5,
    /(?<!\p{L})(?:list|terminad|arreglad|cerrad|resuelt|bloquead|rot|abiert|fusionad|desplegad|corregid|acabad|aprobad|pendiente)[oa]?s?(?!\p{L})/iu,
    { asked: true },
  ],
  [
    "quién",
    1.1,
    /(?<!\p{L})quién (?:está trabajando|trabaja|se encarga|es responsable|lleva)(?!\p{L}).{0,10}(?<!\p{L})(?:en|de|del)? ?(?:el|la|los|las|nuestr[oa]|del)(?!\p{L})/iu,
  ],
  [
    "qué hizo",
    1,
    /(?<!\p{L})(?:qué (?:hizo|dijo|quería|respondió)|ha (?:terminado|respondido|enviado)|terminó|respondió|contestó) (?!python|java|google|el |la )\p{L}+/iu,
  ],
  [
    "la cosa",
    0.5,
    /(?<!\p{L})(?:la|el|los|las|del|al) (?:\p{L}+ )?(?:migración|versión|caída|despliegue|mudanza|cita|factura|proyecto|reunión|servidor|ticket|error|refactorización|base de datos|contrato|sprint|configuración|servicio|lanzamiento|panel|entrega|viaje)(?!\p{L})/iu,
    { asked: true },
  ],
  ["fue", 0.4, /(?<!\p{L})(?:fue|fueron|era|pasó|ocurrió|hubo|estaba)(?!\p{L})/iu, { asked: true }],
  [
    "plan",
    0.5,
    /(?<!\p{L})(?:planead[oa]|previst[oa]|programad[oa]|agenda|plazo|mañana|(?:semana|mes|lunes|martes|miércoles|jueves|viernes) que viene|próxim[oa])(?!\p{L})/iu,
    { asked: true },
  ],
  [
    "seguir",
    1.1,
    /(?<!\p{L})(?:sigue|sigamos|continúa|continuemos|retoma|retomemos)(?!\p{L}).{0,40}(?<!\p{L})(?:donde|dejamos|ayer|quedó)(?!\p{L})|(?<!\p{L})como (?:siempre|la última vez|acordamos|antes)(?!\p{L})/iu,
  ],
  [
    "haz",
    -1,
    /^\W{0,3}(?:por favor,? |puedes )?(?:escrib|explic|traduc|muestra|muéstrame|dame|crea|genera|calcula|ordena|corrig|haz|compara|gracias|hola|añade|dibuja|inventa|redacta|implementa)\p{L}*/iu,
  ],
  ["cómo hacer", -1, /(?<!\p{L})cómo (?:puedo|se (?!llama)|hago|creo|funciona|hacer)(?!\p{L})/iu],
  [
    "sentido",
    -0.6,
    /(?<!\p{L})(?:qué significa|diferencia entre|qué es una?|en general|en el mundo|un ejemplo)(?!\p{L})/iu,
  ],
]);
