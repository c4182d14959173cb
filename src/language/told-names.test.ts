import { expect, it } from "vitest";
import { toldNames } from "./query.js";

it.each([
  ["where does anna work?", ["Anna works at Siemens.", "The anvil is heavy."], ["anna"]],
  ["whats toms favourite food", ["Tom moved to Lisbon.", "The car belongs to Tom."], ["toms"]],
  ["is rosa moving to berlin", ["Rosa is moving to Berlin next summer."], ["rosa", "berlin"]],
  ["Wo wohnt Lena?", ["Lena hat eine Katze.", "Die Katze heißt Mimi."], ["Lena"]],
  ["wer betreut den testserver?", ["Der Testserver steht in Frankfurt."], []],
  ["when do backups run", ["Backups run at night.", "The backups are kept for a week."], []],
  ["where is the will", ["Will lives in Bath.", "She said she will come."], []],
])("RC77 facts show which words of a question are names: %s", (question, texts, names) => {
  expect(toldNames(question, texts)).toEqual(names);
});

it.each([
  ["what is dr hassan paid", ["My doctor is Dr. Hassan in Elm Street."], ["dr hassan"]],
  ["how much did hugo marin charge", ["The plumber is called Hugo Marin."], ["hugo marin"]],
  ["Wo wohnt Frau Berger?", ["Unsere Vermieterin heißt Frau Berger."], ["Frau Berger"]],
  ["when did sofia and marek meet", ["Sofia is the wife of Marek."], ["sofia", "marek"]],
])("RC120 a title or a first name belongs to the name: %s", (question, texts, names) => {
  expect(toldNames(question, texts)).toEqual(names);
});
