// Turns of about 160 characters as people write them to each other: what an embedder mostly gets.
export const CHAT = [
  "Hey! Long time no see. We finally moved into the new flat last weekend, and the kitchen is so much bigger than the old one that I keep losing my coffee mug in it.",
  "I talked to the landlord about the heating again, and he promised that someone would come by on Thursday morning, so could you please be at home between eight and ten?",
  "The release went out yesterday without any trouble, but the new importer is slower than we hoped, so I'd like to look at the profile together before we tell anybody.",
  "My sister is coming to stay with us for two weeks in March, and she has never seen the sea, so we thought of renting a small car and driving along the coast for a bit.",
  "Thanks for the book! I started it on the train and nearly missed my stop; the part about the lighthouse keeper reminded me of the stories your grandfather used to tell.",
  "We decided to keep the old billing service until the end of the year, because moving all of the customers at once would leave nobody free to answer their questions.",
  "The dog got into the neighbour's garden again this morning and dug up half of the tulips, so I baked a cake to say sorry, and they asked me for the recipe instead.",
  "Do you remember the little restaurant behind the station where we had that wonderful soup? It has a new owner now, and the menu is twice as long and half as good.",
  "I've been running three times a week since January, mostly in the park before work, and my knee finally stopped hurting after I bought a pair of proper shoes.",
  "The meeting about the garden project is on Tuesday evening at the library, and they are still looking for somebody who knows how to build a shed that does not leak.",
  "She said that the painting in the hallway was made by her aunt, who studied in Florence and later taught drawing at a school in the mountains for almost thirty years.",
  "Please don't use the staging database for the demo tomorrow, since we are going to restore last week's backup into it tonight and it may take until noon to finish.",
];
