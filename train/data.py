"""Rows of the hand-written files as labelled pairs. A pair is (task, first text, second text, label, weight, where it comes from)."""
import glob
import json
import os
import random
from collections import namedtuple

import torch
from model import HERE, KINDS, vectors

DATA = os.environ.get("DATA", os.path.join(HERE, "data"))
PROMPTS = os.environ.get("PROMPTS", os.path.join(HERE, "../bench/prompts"))
NEAREST = 5  # of the store are read beside what answers; recall puts eight before the judge, and the farther ones are easy

Pair = namedtuple("Pair", "task first second label weight source")
# What the authors called a kind, by the kinds that the judge tells.
KIND_OF = {"instruction": "rule", "knowledge": "fact", "status": "fact", "identity": "person", "relation": "person"}


def files(folder, pattern="*.jsonl"):
    """Each file with its rows; a file's name begins with its author's, where a folder has several."""
    for path in sorted(glob.glob(os.path.join(DATA, folder, pattern))):
        with open(path, encoding="utf-8") as lines:
            yield f"{folder}/{os.path.basename(path)[:-6]}", [json.loads(line) for line in lines if line.strip()]


def varied(question, draw):
    """The same question as others would type it. Case needs no variants: the model reads none."""
    chance = draw.random()
    if chance < 0.08:
        return question.rstrip("?？ ")
    if chance < 0.12:
        return f'"{question}"'
    if chance < 0.16:
        return draw.choice(("hey, ", "quick question: ", "remind me: ", "do you know ", "can you tell me ")) + question
    return question


def answers_of_beliefs(draw):
    for folder in ("work", "life", "turns"):
        everything = [(source, row) for source, rows in files(folder) for row in rows]
        words = [set(row["belief"].lower().split()) for _, row in everything]
        for n, (source, row) in enumerate(everything):
            others = [m for m in draw.sample(range(len(everything)), 40) if m != n]
            near = max(others, key=lambda m: len(words[m] & words[n]))
            for question in row["told"]:
                yield Pair("answers", question, row["belief"], 1, 1.0, source)
                yield Pair("answers", question, everything[near][1]["belief"], 0, 1.0, source)
            for question in row["never"]:
                yield Pair("answers", question, row["belief"], 0, 1.0, source)


def answers_of_sets():
    for folder in ("contrast-work", "contrast-life"):
        for source, rows in files(folder):
            for row in rows:
                for ask in row["asks"]:
                    for side in ("a", "b"):
                        yield Pair("answers", ask["q"], row[side], ask[side], 1.0, source)


def stores():
    """Lives: stores of beliefs in order of time, with what is asked of them."""
    return [(source, row) for source, rows in files("lives") for row in rows]


def answers_of_life(source, store, of_beliefs, of_asks):
    """What was true before answers the question as well as what is true now: which is newer, the relation of the two tells."""
    places = (of_asks @ of_beliefs.T).topk(min(NEAREST, len(store["beliefs"]))).indices.tolist()
    for ask, near in zip(store["asks"], places):
        topical = set(ask["by"]) | set(ask.get("was", []))
        weight = 0.5 if ask.get("both") else 1.0  # by itself each answers half of it
        for place in dict.fromkeys([*topical, *near]):
            is_answer = place in topical
            yield Pair("answers", ask["q"], store["beliefs"][place]["t"], int(is_answer), weight if is_answer else 1.0, source)


def relations_of_life(source, store, of):
    texts = [belief["t"] for belief in store["beliefs"]]
    renews, same = [tuple(pair) for pair in store.get("renews", [])], [tuple(pair) for pair in store.get("same", [])]
    group = list(range(len(texts)))  # what renews or repeats each other, however many steps apart

    def head(n):
        while group[n] != n:
            n = group[n]
        return n

    for a, b in renews + same:
        group[head(a)] = head(b)
    for new, old in renews:
        yield Pair("relation", texts[new], texts[old], 1, 2.0, source)
    for a, b in same:
        yield Pair("relation", texts[max(a, b)], texts[min(a, b)], 0, 1.0, source)
        yield Pair("relation", texts[min(a, b)], texts[max(a, b)], 0, 1.0, source)
    near = of @ of.T
    for new in range(1, len(texts)):
        order = sorted(range(new), key=lambda old: -near[new, old].item())
        for old in [old for old in order if head(old) != head(new)][:2]:
            yield Pair("relation", texts[new], texts[old], 2, 1.0, source)


def relations_of_rows():
    for source, rows in files("relation"):
        for row in rows:
            for text in row["same"]:
                yield Pair("relation", text, row["old"], 0, 1.0, source)
                yield Pair("relation", row["old"], text, 0, 1.0, source)
            for text in row["renews"]:
                yield Pair("relation", text, row["old"], 1, 2.0, source)
            for text in row["different"]:
                yield Pair("relation", text, row["old"], 2, 1.0, source)


def context_of(messages, index, quote):
    """Who speaks, what stands before the sentence in its message, and the end of the message before."""
    who = lambda m: m.get("who") or m.get("role")
    text = lambda m: m.get("text") or m.get("content") or ""
    message = messages[index]
    at = text(message).find(quote)
    before = text(message)[: max(at, 0)].strip()[-120:]
    said = f"{who(message)}: {before}".strip()
    if index > 0:
        said += f" | {who(messages[index - 1])}: {text(messages[index - 1]).strip()[-160:]}"
    return said


def keeps():
    for source, rows in files("keep", "*lines-*.jsonl"):
        for row in rows:
            yield Pair("keep", row["text"], "", int(row["keep"]), 1.0, source)
    for source, rows in files("keep", "*talk-*.jsonl"):
        for row in rows:
            messages = row["messages"]
            quotes = {kept["quote"]: kept for kept in row["keep"]}
            for quote, kept in quotes.items():
                context = context_of(messages, kept["message"], quote)
                yield Pair("keep", quote, context, 1, 1.0, source)
                kind = KIND_OF.get(kept["kind"], kept["kind"])
                if kind in KINDS:
                    yield Pair("kind", quote, context, KINDS.index(kind), 0.5, source)
            for quote in row["leave"]:
                if quote in quotes:
                    continue
                at = next((n for n, m in enumerate(messages) if quote in (m.get("text") or m.get("content") or "")), None)
                if at is not None:
                    yield Pair("keep", quote, context_of(messages, at, quote), 0, 1.0, source)


def prompts():
    """Prompts that ask memory, and those that do not; in several languages."""
    for path in sorted(glob.glob(os.path.join(PROMPTS, "*.jsonl"))):
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                if line.strip():
                    row = json.loads(line)
                    yield Pair("asks", row["text"], "", int(row["recall"]), 1.0, f"prompts/{os.path.basename(path)[:-6]}")


def everything(embedder, tokenizer, seed=7):
    draw = random.Random(seed)
    pairs = [*answers_of_beliefs(draw), *answers_of_sets(), *relations_of_rows(), *keeps(), *prompts()]
    lives = stores()
    texts = [belief["t"] for _, store in lives for belief in store["beliefs"]] + [ask["q"] for _, store in lives for ask in store["asks"]]
    of = dict(zip(texts, vectors(embedder, tokenizer, texts)))
    for source, store in lives:
        of_beliefs = torch.stack([of[belief["t"]] for belief in store["beliefs"]])
        of_asks = torch.stack([of[ask["q"]] for ask in store["asks"]])
        pairs += answers_of_life(source, store, of_beliefs, of_asks)
        pairs += relations_of_life(source, store, of_beliefs)
    return pairs
