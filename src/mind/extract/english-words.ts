/** Closed classes of English words that rules speak of. */
const words = (list: string): string => list.trim().split(/\s+/).join("|");

export const KIN =
  words(`wife husband partner spouse girlfriend boyfriend fiancé fiancée fiance fiancee mother mom mum father dad
  brother sister son daughter grandmother grandma grandfather grandpa aunt uncle cousin nephew niece twin stepmother stepfather stepson
  stepdaughter kids children parents sons daughters brothers sisters dogs cats dog cat puppy kitten horse parrot rabbit hamster`);
export const PEOPLE =
  words(`friend colleague coworker co-worker boss manager neighbor neighbour roommate flatmate teammate mentor
  assistant doctor dentist therapist lawyer accountant teacher professor coach landlord client customer supplier vendor cofounder
  co-founder supervisor advisor tutor intern`);
export const ATTRIBUTES =
  words(`birthday hometown nickname surname job occupation profession title role hobby diet budget deadline
  timezone major degree salary height weight age nationality religion editor shell car bike goal dream_job pronouns address employer
  username handle mother_tongue native_language language company startup team stack framework thesis blood_type shoe_size`).replace(
    /_/g,
    " ",
  );
export const BODY =
  words(`knee knees back shoulder shoulders ankle wrist hip neck elbow foot hand eye eyes hearing eyesight heart
  leg arm hearing`);
export const POSSESSIONS =
  words(`kid kids child children son sons daughter daughters brother brothers sister sisters sibling siblings
  twins dog dogs cat cats puppy puppies kitten kittens pet pets horse horses wife husband partner girlfriend boyfriend car bike house
  flat apartment garden boat degree phd master's diabetes asthma adhd autism epilepsy migraines arthritis allergy allergies dyslexia
  turtle turtles snake snakes bird birds fish rabbit rabbits hamster grandson granddaughter grandchildren nephew niece`);
export const STATES =
  words(`vegetarian vegan pescatarian married single divorced widowed engaged pregnant retired unemployed
  self-employed left-handed right-handed colour-blind color-blind colourblind colorblind diabetic asthmatic dyslexic deaf blind
  autistic gluten-free lactose-intolerant bilingual transgender gay lesbian bisexual freelance`);
export const FAITHS = words(
  `Catholic Protestant Christian Muslim Jewish Buddhist Hindu Sikh atheist agnostic`,
);
export const HABITS =
  words(`eat drink hike smoke drive fly work wear travel cook watch play run swim buy read answer check go cycle
  bike walk commute deploy use take jog dance paint garden ski surf climb camp fish knit sing write sleep meditate shop code ship review`);
export const PRACTICES =
  words(`use drive play speak study teach own run practice practise collect volunteer coach wear breed knit paint
  surf climb manage lead maintain ride`);
export const JOB_ENDINGS =
  String.raw`(?:[\p{L}-]+(?:er|or|ist|ian|eer|ant|cist|tect|chef|man|woman)|nurse|doctor|student|teacher|chef|pilot|judge|
  |coach|artist|parent|father|mother|dad|mom|mum|widow|vegetarian|vegan|pescatarian|diabetic|postdoc|freelancer|librarian|clerk|consultant)`.replace(
    /\s+\|/g,
    "|",
  );
/** Not a trade, however much it ends like one. */
export const NO_JOB =
  /\b(?:beginner|believer|fan|lover|sucker|member|bit|little|winner|loser|fighter|survivor|matter|number|character|monster|person|stranger|user|owner|fighter|dreamer|thinker|over|ever|never|better|other|under|after|wonder|killer|starter|gamer|newcomer|sinner|learner|supporter|admirer|follower|good|great|happy|giant|huge|big|bigger|distant|important|disaster|part|lot|foodie|reader|listener|talker|eater|sleeper|riser|walker|hater|quitter|helper|regular|favor|mentor|customer|minor|major|outsider|later|forever|earlier|further|for|or|her|elegant|brilliant|excellent)$/i;
export const DEMONYM =
  /^(?:[A-Z]\p{L}+(?:ese|ish|ian|ean|can)|German|French|Dutch|Greek|Swiss|Czech|Thai|Turkish|Danish|Norwegian|Iraqi|Israeli|Pakistani|Afghan|Welsh|Scottish|Korean)$/u;
export const LANGUAGES =
  words(`English German French Spanish Italian Portuguese Dutch Polish Russian Chinese Mandarin Cantonese Japanese
  Korean Arabic Hebrew Turkish Greek Swedish Norwegian Danish Finnish Czech Hungarian Romanian Ukrainian Hindi Bengali Urdu Vietnamese
  Thai Indonesian Catalan Latin`);
/** Names of days and months, with a capital or without. */
const eitherCase = (list: string): string =>
  list.replace(/(?<=^|\|)\p{Ll}/gu, (letter) => `[${letter.toUpperCase()}${letter}]`);
export const MONTHS = eitherCase(
  words(`january february march april may june july august september october november december jan feb mar apr jun jul
  aug sept sep oct nov dec`),
);
export const DAYS = eitherCase(
  words(`mondays? tuesdays? wednesdays? thursdays? fridays? saturdays? sundays? weekdays? weekends?`),
);
