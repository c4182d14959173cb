/** Small words, and what the checks must know about words. Data, not code: extend it by whole classes, not by cases. */
const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

export const STOP_WORDS = set(`
a an the let this that these those there here it its he she they them his her their our we i you your my me us is are was were be been
being am do does did done has have had having will would shall should can could may might must of in on at by for with
to from into onto as and or but if then than so such also very just only about over under up down out off all any some
which who whom whose what when where while how s t re ve ll d m one user's most each per other thus therefore however yet moreover
der die das den dem des ein eine einen einem einer ist sind war und oder in im am an auf für mit von zu zum zur bei als
el la los las un una unos unas es son de del al y o en por para con se lo su sus que
le les une des est sont du et ou dans sur pour avec par qui que ce cette ses son sa
`);

export const NEGATIONS = set(`
not no never none nobody nothing neither nor without cannot cant dont doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt
couldnt hasnt havent hadnt mustnt neednt avoid avoids refuse refuses lack lacks
unable unwilling incapable impossible unavailable unsupported unnecessary nicht kein keine keinen keinem keiner nie niemals ohne
niemand nunca jamás sin ningún ninguna nadie tampoco pas jamais sans aucun aucune plus rien personne
`);

export const MONTHS = set(`
january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
januar februar märz mai juni juli oktober dezember enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
janvier février mars avril juin juillet août septembre octobre novembre décembre
`);
export const WEEKDAYS = set(`
monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays
montag dienstag mittwoch donnerstag freitag samstag sonntag lunes martes miércoles jueves viernes sábado domingo
lundi mardi mercredi jeudi vendredi samedi dimanche
`);

export const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
  `two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 twenty=20 thirty=30 hundred=100 thousand=1000
   once=1x twice=2x zwei=2 drei=3 vier=4 fünf=5 sechs=6 sieben=7 acht=8 neun=9 zehn=10 elf=11 zwölf=12
   dos=2 tres=3 cuatro=4 cinco=5 seis=6 siete=7 ocho=8 nueve=9 diez=10 deux=2 trois=3 quatre=4 cinq=5 huit=8 neuf=9 dix=10`
    .split(/\s+/)
    .map((pair) => pair.split("=") as [string, string]),
);

/** Words that mostly say the same; each line is one meaning, named by its first word. */
export const SYNONYMS: ReadonlyMap<string, string> = new Map(
  `
begin start commence
finish complete
quit resign
buy purchase
sell vend
need require necessary necessity
help assist aid
show display
choose select pick
fix repair
approve ratify
ask request
answer reply respond
tell inform
build construct
get obtain receive
keep retain
send dispatch
try attempt
speak talk
think believe
happen occur
gather collect
big large
small little tiny
quick fast rapid
hard difficult
easy simple
right correct
wrong incorrect
sure certain
main principal primary
whole entire
enough sufficient
deadly fatal lethal
car automobile
bike bicycle
photo photograph picture
film movie
child kid
road street
store shop
job position
doctor physician
lawyer attorney
firm company corporation
means way method
error mistake
center centre
colour color
america american americans usa
britain british uk`
    .trim()
    .split("\n")
    .flatMap((line) => {
      const words = line.split(" ");
      return words.map((word) => [word, words[0] as string] as const);
    }),
);

/** Words of which a thing can be only one; each line is one scale. */
export const OPPOSITES: readonly ReadonlySet<string>[] = `
enable enabled|disable disabled
allow allowed allows permit permitted|forbid forbidden deny denied prohibit prohibited block blocked
open opened|close closed shut
on|off
use uses using|avoid avoids
accept accepted accepts approve approved|reject rejected rejects decline declined
start started starts begin began|stop stopped stops finish finished end ended
add added adds|remove removed removes delete deleted
increase increased rise rose raise raised|decrease decreased fall fell lower lowered
before|after
above over|below under
first|last
minimum min least|maximum max most
always|never
single unmarried soltero soltera ledig célibataire|married casado casada verheiratet marié mariée
public|private
internal|external
include includes included|exclude excludes excluded
true|false
hot|cold
big large|small little
old|new young
fast quick quickly|slow slowly
stateless|stateful
alive|dead
love loves like likes|hate hates dislike dislikes
empty|full
indoor indoors inside|outdoor outdoors outside
vegetarian vegan|carnivore
left|right
early|late
awake|asleep sleeping
online|offline
mandatory required|optional
success succeed succeeded succeeds passed|failure fail failed fails
sitting sit sits|standing stand stands`
  .trim()
  .split("\n")
  .flatMap((line) => {
    const sides = line.split("|").map((side) => new Set(side.split(" ")));
    return sides;
  });

/** A new text that says itself that things changed. */
export const CHANGE =
  /\b(?:no longer|not any ?more|any ?more|from now on|instead of|as of (?:today|now|this|next)|now (?:uses?|lives?|works?|drives?|runs?|is|has|prefers?|wants?)|is now|are now|has now|(?:have|has) (?:moved|changed|switched|raised|lowered|migrated|taken over|been replaced|been renamed)|moved (?:from|to|away)|switched (?:from|to|over)|changed (?:from|to|his|her|their|its)|migrated|relocated|renamed|replaced|stepped down|resigned|retired|quit|took over|taken over|sold|upgraded|downgraded|(?:raised|lowered|increased|reduced) .{0,40}\bfrom|since (?:january|february|march|april|may|june|july|august|september|october|november|december|last|yesterday|today)|was (?:closed|finished|completed|cancelled|shut down)|(?:finished|ended|closed) (?:on|yesterday|today|last)|gezogen|nicht mehr|ab sofort|jetzt|stattdessen|ya no|ahora|se mudó|cambió|ne? .{0,20}\bplus|désormais|depuis|a déménagé)\b|不再|现在|改为|已经?搬/iu;
