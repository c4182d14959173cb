import { isPlace, isWorldName } from "./world-names.js";

/** Words and what parts sentences; a prompt in plain letters is spared the classes of all others, which take long to compile. */
const PLAIN = /[A-Za-z0-9_]+(?:'[A-Za-z]+)?|[?!.]/g;
const ANY = /\p{Script=Han}|[^\p{Script=Han}\P{L}]+(?:['’][^\p{Script=Han}\P{L}]+)?|\p{N}+|[?？!！.。…¿¡]/gu;
const BEYOND_ASCII = /[^\0-\x7f]/;
const HAN = /\p{Script=Han}/u;
const DIGIT = /^\d/;

/** How a piece is written that stands for all of its kind, since hardly two prompts share one. */
const NUMBER = "0";
const NAME = "Aa";
const GIVEN_NAME = "Nn";
const WORLD_NAME = "Ww";
const PLACE = "Pp";

/** The words of a prompt between a sign for its beginning and one for its end: numbers and names as what they are. */
export function wordsOf(text: string, language: string): string[] {
  const words = ["^"];
  let begins = true;
  for (const [found] of text.matchAll(BEYOND_ASCII.test(text) ? ANY : PLAIN)) {
    if (".!。！¿¡".includes(found)) {
      begins = true;
      continue;
    }
    const small = found.toLowerCase().replace("’", "'").replace("？", "?");
    const [stem = "", of] = small.split(/(?='s$)/);
    if (isGivenName(stem)) words.push(GIVEN_NAME, ...(of ? [of] : []));
    else if (isWorldName(stem)) words.push(WORLD_NAME, ...(of ? [of] : []));
    else if (isPlace(stem)) words.push(PLACE, ...(of ? [of] : []));
    else if (DIGIT.test(small)) words.push(NUMBER);
    else if (isNameIn(language, found, begins)) words.push(NAME, ...(of ? [of] : []));
    else words.push(small);
    begins = small === "?";
  }
  words.push("$");
  return words;
}

/** A capital within a sentence makes a name, but not in German, where every noun has one; nor is an acronym a name. */
function isNameIn(language: string, word: string, begins: boolean): boolean {
  if (language === "zh") return !HAN.test(word) && !"?？…".includes(word);
  return !begins && language !== "de" && word !== word.toLowerCase() && word !== word.toUpperCase();
}

/**
 * Words, pairs of neighbours, and each word with the one that begins the prompt. A word that is too rare to be weighed counts
 * as one of those, in pairs too.
 */
export function wordingOf(words: readonly string[], isKnown: (word: string) => boolean): Set<string> {
  const ones = words.map((word) => (isKnown(word) ? word : "*"));
  const wording = new Set(ones);
  for (let at = 1; at < ones.length; at++) wording.add(`${ones[at - 1]} ${ones[at]}`);
  for (let at = 2; at < ones.length; at++) wording.add(`${ones[1]} .. ${ones[at]}`);
  return wording;
}

/**
 * Given names of many countries, without those that are words or places as well. A question about one of them alone means
 * somebody they know; the famous are called by their surname.
 */
const NAMES =
  "aaron abby abdul abigail adam adela adele adrian adrien agata agathe agnes agnieszka ahmed aiko aisha akira alan albert alberto alejandra alejandro aleksandra alena alessandra alessandro alex alexa alexander alexandra alexandre alexei alfonso alfred alfredo alice alicia alina aline alison allison alonso alvaro alyssa amadou amal amanda amara amelia amelie amina amir amit amy ana anabel anaïs anders andre andrea andreas andreea andrei andrés andrew andrzej anette angela angelica angelika anika anita anja anke anna annabelle anne annette annie annika anouk ansgar anthony antje antoine anton antonia antonio anya arash arjun arnaud arne arthur arturo arun asha ashley astrid asuka aurelie aurélie axel aya ayesha ayla aylin azra barbara bart bartek bastian beata beate beatrice beatriz becky belen belén ben benedict benedikt benjamin benoit benoît berit bernard bernd bernhard berta bertrand beth bethany betty bianca birgit bjarne björn bjorn bob bogdan boris brandon brenda brendan brian bridget brigitte britta bruno caitlin camila camille carina carla carlos carmen carol carole carolina caroline carsten catalina caterina catherine cathy cecile cécile cecilia cedric cédric celia celine céline chantal charlie chiara chidi chinedu chioma chloe chloé chris christa christel christiane christina christine christof christoph christophe christopher cindy claire clara clarissa claudia claudio clement clément clotilde colette colin connor conrad constanze corinna corinne cornelia cristian cristina cyril dagmar damian damien dana daniel daniela danielle danny daphne dario darius dave david davide deborah deepa deepak delphine denis denise derek desiree devon diana diane didier diego dieter dimitri dina dirk dmitri domenico dominik dominique donna dora doreen doris dorothea doug duncan dylan ebba eddie edgar edith edoardo eduardo edward edwin eileen ekaterina elaine elena eleni eleonora eli elias elif elijah elin elisa elisabeth élise elise elizabeth elke ella ellen ellie elodie élodie elsa emil emilia emilie émilie emilio emily emine emma emmanuel emre enrico enrique enzo eric erica erik erika erin ernst ernesto esra esteban estelle esther ethan etienne étienne eugen eugenia eunice eva evan evelyn ezra fabian fabien fabio fabrice farah farid fatima fatma fatou felicia felipe felix ferdinand fernanda fernando filip filippo finn fiona flavia florian fran frances francesca francesco francine francisco franck françois francois françoise frank franz franziska fred frederic frédéric frederik frieda friederike fritz gabi gabriel gabriela gabriele gabriella gael gaël gareth gary gemma genevieve georg george georges gerard gérard gerd gerda gerhard gero gianluca gilles gina giorgio giovanni giulia giuseppe gonzalo gordon graham greg gregor gregory greta guillaume guillermo gunnar günter guido gustavo gwen habiba hadi hamid hamza hanna hannah hannes hans harald hari harriet harry hasan hassan hector héctor heather hedwig heidi heike heiko heinrich heinz helen helena hélène helene helga hendrik henning henri henrik henry herbert hermann hilda hilde hiro hiroshi holger hugo hussein ian ibrahim ida ignacio igor ilka ilse imani imogen ines inés ingo ingrid inga inka ioana irena irene irina irma isaac isabel isabella isabelle ismail ivan ivana ivo iwona jack jacob jacqueline jacques jaime jake jakob jakub jamal james jamie jana jane janet janina janine jannik jannis jaroslav jasmin jasmine jason javier jean jeanette jeanne jeff jelena jen jenna jennifer jenny jens jeremy jerome jérôme jess jessica jessie jill jim jimmy jin joachim joan joana joanna joao joão joaquin joaquín joe joel johan johann johanna johannes john johnny jolanta jon jonas jonathan jorge josé jose josef josefine joseph josephine josh joshua joyce juan juana judith jules julia julian juliana juliane julie julien juliette julio julius jun junko jürgen justin justine jutta kai kaito kamal karen karim karin karl karla karoline karsten kasia kate katharina katherine kathleen kathrin kathy katie katja katrin kazuki keiko keith kelly kenji kerstin kevin khadija khalid kiran kirsten klara klaus klara koffi kofi konrad konstantin krishna kristin kristina kristof kurt kwame kyle laetitia laila lakshmi lamine lara larissa lars laszlo laura laure laurence laurent laurie lea léa leah leandro leila lena lenka leni lennart leo léo leon léon leona leonardo leonie leopold leticia lewis liam lidia lieselotte lili liliana lilly lily lina linda linh linnea lisa lise lior livia liz lola lorena lorenz lorenzo lotta lotte louis louise luc luca lucas lucía lucia lucian lucie lucien lucy ludmila ludovic ludwig luigi luis luisa luise lukas luke lydia maarten mads magali magda magdalena magnus maike maja malik malte manfred manu manuel manuela mara marcel marcela marcelo marcia marco marcos marcus mareike maren margaret margarita margit margot maria maría marian mariana marianne marie marielle marietta mariko marina mario marion marisa marisol marit marius marko markus marlene marta martha martin martina martine marwa mary maryam massimo mateo mateusz mathias mathieu mathilde matilda matt matteo matthew matthias matthieu maud maurice mauricio mauro maxime maximilian maya mayumi megan mehdi mehmet mei meike melanie mélanie melissa merve michael michaela michal michel michele michèle michelle miguel mihai mika mike mila milan milena minh mina mira miriam mirjam mirko mohamed mohammed moira molly mona monica monika monique moritz moses mourad mustafa nadia nadine nadja naomi narges natalia natalie natascha natasha nathalie nathan neha neil nele nelly nelson nicholas nick nico nicola nicolas nicole niels nigel nikhil niklas nikola nikolai nikolaus nils nina nisha noah noam noelle noemi noémie noor nora norbert noriko nour nuria nkechi odile olaf olga oliver olivia olivier oluwaseun omar oriol oscar oskar osman otto owen pablo paloma pamela paola paolo pascal patrice patricia patrick patrik paul paula paulina pauline paulo pavel pedro peggy penelope petra peter philip philipp philippa philippe phoebe pia pierre pierrick pietro piotr priya quentin rachel radek rafael rahel rahul raimund raj rajesh ralf ralph ramon ramón raquel rashid raul raúl ravi raymond rebecca rebekka regina reinhard rekha remi rémi renata renate rené renee renée ricardo riccardo richard rick rita robert roberta roberto robin rocio rocío rodrigo roger rohan roland rolf romain rosa rosalie rosemary roxana roxane ruben rubén rudi rudolf rupert rüdiger ruth ryan sabine sabrina sadie sakura salim sally salma samantha samir samira samuel sandeep sandra sandrine sanjay santiago sara sarah sascha saskia scott sean sebastian sébastien selim serena serge sergei sergio severin shane shannon sharon sheila shirin sigrid silas silke silvia silvio simon simona simone sina siobhan sita sofia sofie solveig sonia sonja sophia sophie soren sören stacy stan stefan stefanie stefano steffen stella stephan stéphane stephanie stéphanie stephen steve steven stuart suresh susan susana susanna susanne suzanne sven svenja svetlana sylvia sylvie tabea tadeusz takeshi tamar tamara tamsin tania tanja tara tariq tatiana tatjana ted teresa tessa thabo thandiwe theo theodor théo theresa thibault thierry thomas thorsten tiago tilman tim timo tina tobias todd tom tomas tomás tommy tomasz toni tony torben torsten tracy tristan tuan ulf uli ulrich ulrike umar ursula ute uwe valentin valentina valeria valerie valérie vanessa vera verena veronica veronika véronique vesna vicente vicky victor viktor viktoria vikram vincent violeta virginie vivian viviane vladimir volker wafa walid walter wanda wei wendy werner wiebke wilhelm willem william wojciech wolfgang xavier ximena yael yannick yara yasmin yasmina yasmine yolanda yosef youssef yuki yuko yulia yuri yusuf yves yvette yvonne zainab zara zeynep zoe zoé zofia zora zuzana zsofia";

let made: ReadonlySet<string> | undefined;

function isGivenName(small: string): boolean {
  made ??= new Set(NAMES.split(" "));
  return made.has(small);
}
