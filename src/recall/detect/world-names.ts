/** What everybody knows by name, but for places, where anybody may have been: companies, products, languages of people and machines, the famous. One each. */
const NAMES =
  "google apple microsoft amazon facebook netflix tesla nvidia intel amd ibm oracle samsung sony nokia toyota volkswagen bmw boeing airbus nasa esa spacex openai anthropic chatgpt gpt deepmind twitter youtube instagram tiktok whatsapp wikipedia reddit spotify uber airbnb disney nintendo lego ikea adidas nike starbucks mcdonald's unesco nato fifa uefa olympics olympic bitcoin ethereum iphone android windows linux ubuntu debian macos unix minecraft tetris pokemon pokémon " +
  "python java javascript typescript rust golang kotlin ruby php perl haskell scala erlang elixir cobol fortran sql html css bash latex react vue angular svelte django rails docker kubernetes terraform ansible git github gitlab postgres postgresql mysql sqlite mongodb redis kafka elasticsearch nginx apache tensorflow pytorch pandas numpy excel word powerpoint outlook photoshop firefox chrome chromium webpack vite " +
  "einstein newton darwin galileo kepler copernicus curie tesla edison turing gödel gauss euler hawking feynman freud marx kant hegel nietzsche plato platon sokrates socrates aristotle descartes rousseau voltaire shakespeare goethe schiller cervantes tolstoy dostoevsky hemingway orwell tolkien rowling kafka proust picasso monet rembrandt michelangelo mozart beethoven wagner chopin verdi beatles elvis abba madonna caesar cäsar césar napoleon napoléon napoleón cleopatra hitler stalin lenin churchill roosevelt kennedy lincoln obama trump clinton reagan merkel macron putin gandhi mandela columbus colón magellan bolivar franco messi ronaldo pelé maradona federer bismarck luther bible bibel biblia koran quran hamlet faust odyssey odyssee titanic apollo voyager hubble webb mars venus jupiter saturn uranus neptune pluto moon mond lune luna " +
  "roman romans römer romains romanos greek greeks egyptians vikings wikinger aztec aztecs inca incas mayas bundestag reichstag congress senate parliament pope papst pape nobel oscars grammy eurovision wimbledon bundesliga renaissance reformation versailles waterloo yalta hiroshima chernobyl tschernobyl";

/** Where anybody may have been, and what much is known of all the same. */
const PLACES =
  "africa america europe asia australia antarctica austria österreich germany deutschland allemagne alemania france frankreich francia spain spanien españa espagne italy italien italia italie switzerland schweiz suisse suiza england britain uk usa netherlands belgium belgique denmark sweden norway finland iceland poland portugal greece turkey russia ukraine china india japan japón korea vietnam thailand indonesia brazil brasilien brasil argentina chile peru perú mexico méxico canada egypt ägypten nigeria kenya ethiopia israel iran iraq mongolia pakistan bangladesh cuba ireland scotland wales hungary romania bulgaria croatia serbia luxembourg london paris berlin rome madrid vienna wien tokyo beijing moscow moscou sydney chicago washington california texas florida venice athens istanbul cairo alps alpen everest amazonas nile sahara pacific atlantic mediterranean lisbon lyon barcelona munich münchen hamburg köln zürich zurich geneva oslo stockholm copenhagen prague warsaw budapest dublin brussels bruxelles amsterdam milan naples toronto boston seattle oregon";

let places: ReadonlySet<string> | undefined;

export function isPlace(small: string): boolean {
  places ??= new Set(PLACES.split(" "));
  return places.has(small);
}

let made: ReadonlySet<string> | undefined;

export function isWorldName(small: string): boolean {
  made ??= new Set(NAMES.split(" "));
  return made.has(small);
}
