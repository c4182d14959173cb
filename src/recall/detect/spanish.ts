import { cues } from "./cue.js";

const DAY = "lunes|martes|miércoles|jueves|viernes";

const THING =
  "casero|casera|proveedor|contable|abogado|oficina|contraseña|wifi|logo|rediseño|cliente|clienta|clientes|presupuesto|presupuestos|colegio|piso|cocina|jardín|coche|hotel|restaurante|becario|becaria|certificado|campaña|presentación|rama|copia|copias|plazo|producción|cargador|migración|versión|caída|despliegue|mudanza|cita|factura|proyecto|reunión|servidor|ticket|error|refactorización|datos|contrato|sprint|configuración|servicio|lanzamiento|panel|entrega|viaje";

export const SPANISH = cues(() => [
  [
    "nosotros",
    0.9,
    "",
    { says: /(?<!\p{L})(?:nosotros|nuestr[oa]s?|hemos|habíamos|estábamos|\p{L}{2,}[ai]mos)(?!\p{L})/u },
  ],
  [
    "lo nuestro",
    0.3,
    "",
    { says: /(?<!\p{L})(?:nuestr[oa]s?|hemos|habíamos|\p{L}{2,}[ai]mos)(?!\p{L})/u, asked: true },
  ],
  ["hacemos", -0.8, "podemos|debemos|deberíamos|podríamos|queremos;vamos a"],
  ["mío", 1, "mi|mis|mí|mío|mía", { asked: true }],
  [
    "hice",
    1,
    "",
    {
      says: /(?<!\p{L})(?!qu[eé]|porqué|café|bebé|así|aquí|ahí|allí|sí|mí|té)\p{L}{3,}[éí](?!\p{L})/u,
      asked: true,
    },
  ],
  ["olvidé", 1.1, "no recuerdo;no me acuerdo;he olvidado;se me olvidó;me olvidé"],
  ["ha hecho", 0.6, "", { says: /^\W{0,3}han? \p{L}+(?:ado|ido|rto|sto|cho)(?!\p{L})/u }],
  ["al día", 1.5, "ponme|pónganos|póngame al día|corriente;hazme un resumen"],
  ["opinaba", 0.6, "opinaba|pensaba|decía|quería|prefería|proponía|pedía|estaba", { asked: true }],
  [
    "hago",
    0.6,
    "uso|tengo|prefiero|vivo|trabajo|llevo|tomo|bebo|utilizo|suelo",
    { says: /(?<!\p{L})(?:qué|cuál|cuáles|dónde|quién|cuánt[oa]s?|a qué)(?!\p{L})/u, asked: true },
  ],
  [
    "el único",
    1,
    "casero|casera|oficina|presupuesto|reunión|cliente|clienta|proveedor|contrato|factura|cita|taller|boda|fiesta|fontanero|dentista|vuelo|reserva|becario|becaria|jefe|jefa|contable|wifi|llave|llaves|lanzamiento|sprint|demo|campaña|presentación|entrega|piso|cargador",
    {
      says: /^\W{0,3}(?:quién|dónde|cuándo|cuánt[oa]s?|hasta cuándo|a quién|para cuándo)(?!\p{L}).{0,60}(?<!\p{L})(?:el|la|los|las|del|al)(?!\p{L})/u,
    },
  ],
  [
    "muéstranos",
    1.5,
    "",
    {
      says: /^\W{0,3}(?:por favor,? )?(?:muestra|muéstra|dame|dime|resum|lista|busca)\p{L}* .{0,60}(?<!\p{L})(?:nuestr[oa]s?|mis?|\p{L}{2,}[aei]mos)(?!\p{L})/u,
      told: true,
    },
  ],
  ["yo", 0.5, "yo|me|he|dije|quería|tengo|uso", { asked: true }],
  [
    "gusto",
    0.7,
    "favorito|favorita|favoritos|favoritas|preferido|preferida|preferidos|preferidas|prefiero|suelo|siempre|alérgico|alérgica|alergia;me gusta|gustan",
  ],
  [
    "ayer",
    0.8,
    `ayer|anteayer|anoche|recientemente|anteriormente;la última vez;la semana pasada;el mes|año|${DAY} pasado;hace poco;hace un rato;hasta ahora;esta mañana;desde cuándo;la sesión anterior`,
  ],
  [
    "hace",
    0.8,
    "hace",
    { says: /(?<!\p{L})hace (?:\p{L}+|\d+) (?:días?|semanas?|meses|mes|horas?|años?)(?!\p{L})/u },
  ],
  [
    "recordar",
    0.9,
    "recuerda|recuerdas|recuérdame|acuerdas|olvidé|olvido|olvidó|olvidado|dijiste|contaste|recomendaste|mencion*|prometi*;cómo se llamaba;sabes mi|dónde|qué",
  ],
  [
    "dicho",
    0.6,
    "recomendó|prometió|sugirió|propuso|decidió|retrasó|aplazó|canceló|costó|decidi*|acord*|dicho|hablado|elegi*|decisión|motivo|razón|causa|planeado|planeada|previsto|prevista",
  ],
  [
    "cómo va",
    1.2,
    "cómo va|van;en qué estado|punto|fase;estado|avance de|del;qué falta|queda;dónde estamos|quedamos;dónde lo dejamos;en qué quedamos|estábamos;hay novedades",
  ],
  ["todavía", 0.6, "todavía|aún|ya|sigue|siguen|actualmente;ahora mismo", { asked: true }],
  ["sigue ella", 0.5, "sigue", { says: /^\W{0,3}sigue \p{Lu}/iu, cased: true, asked: true }],
  [
    "hecho",
    0.5,
    "list|listo|lista|listos|listas|terminad*|arreglad*|cerrad*|resuelt*|bloquead*|roto|rota|rotos|rotas|abierto|abierta|abiertos|abiertas|fusionad*|desplegad*|corregid*|acabad*|aprobad*|pendiente|pendientes",
    { asked: true },
  ],
  [
    "quién",
    1.1,
    "quién está trabajando;quién trabaja|lleva;quién se encarga;quién es responsable",
    {
      says: /(?<!\p{L})quién (?:está trabajando|trabaja|se encarga|es responsable|lleva)(?!\p{L}).{0,10}(?<!\p{L})(?:en|de|del)? ?(?:el|la|los|las|nuestr[oa]|del)(?!\p{L})/u,
    },
  ],
  [
    "qué hizo",
    1,
    "qué hizo|dijo|quería|respondió;ha terminado|respondido|enviado;terminó|respondió|contestó",
    {
      says: /(?<!\p{L})(?:qué (?:hizo|dijo|quería|respondió)|ha (?:terminado|respondido|enviado)|terminó|respondió|contestó) (?!python|java|google|el |la )\p{L}+/u,
    },
  ],
  [
    "el agente",
    1,
    "el|nuestro agente|bot|asistente",
    { says: /(?<!\p{L})(?:ha|había|hizo|dijo|\p{L}{3,}ó)(?!\p{L})/u, asked: true },
  ],
  [
    "la cosa",
    0.6,
    THING,
    {
      says: new RegExp(`(?<!\\p{L})(?:la|el|los|las|del|al) (?:\\p{L}+ )?(?:${THING})(?!\\p{L})`, "u"),
      asked: true,
    },
  ],
  ["fue", 0.4, "costó|retrasó|recomendó|prometió|fue|fueron|era|pasó|ocurrió|hubo|estaba", { asked: true }],
  [
    "plan",
    0.5,
    `planeado|planeada|previsto|prevista|programado|programada|agenda|plazo|mañana|próximo|próxima;semana|mes|${DAY} que viene`,
    { asked: true },
  ],
  [
    "seguir",
    1.1,
    "sigue|sigamos|continúa|continuemos|retoma|retomemos;como",
    {
      says: /(?<!\p{L})(?:sigue|sigamos|continúa|continuemos|retoma|retomemos)(?!\p{L}).{0,40}(?<!\p{L})(?:donde|dejamos|ayer|quedó)(?!\p{L})|(?<!\p{L})como (?:siempre|la última vez|acordamos|antes)(?!\p{L})/u,
    },
  ],
  [
    "apunta",
    -2,
    "recuerda|apunta|anota|toma|olvides|recuérdame",
    {
      says: /^\W{0,3}(?:por favor,? )?(?:recuerda (?:que|:)|apunta|anota|toma nota|no olvides|recuérdame (?:\p{L}+[aei]r(?:\p{L}{2,4})?(?!\p{L})|que (?:tengo|debo)))/u,
      told: true,
    },
  ],
  [
    "contado",
    -1.2,
    "",
    {
      says: /^\W{0,3}(?:(?:nosotros |ya )?(?:hemos|\p{L}{2,}[ai]mos)|he|yo) (?!olvidado)/u,
      told: true,
    },
  ],
  [
    "haz",
    -1,
    "escrib*|explic*|traduc*|crea*|genera*|calcula*|ordena*|corrig*|haz|compara*|gracias|hola|añade*|dibuja*|inventa*|redacta*|implementa*|arregl*|actualiz*|ejecut*|renombr*|borra*|cierra*|mira",
    { begins: true },
  ],
  ["muestra", -0.5, "muestra*|muéstra*|dame|resum*|lista*", { begins: true }],
  ["a mano", -1, "mi|este|esta código|función|consulta|script|texto|frase|párrafo|programa|clase|currículum"],
  [
    "cómo hacer",
    -1,
    "cómo puedo|hago|creo|funciona|hacer;cómo se",
    { says: /(?<!\p{L})cómo (?:puedo|se (?!llama)|hago|creo|funciona|hacer)/u },
  ],
  ["sentido", -0.6, "qué significa;diferencia entre;qué es un|una;en general;en el mundo;un ejemplo"],
]);
