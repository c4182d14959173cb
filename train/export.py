"""Writes the judge's weights in int8 as the engine reads them, and numbers of the float model for the test that compares.

usage: export.py WEIGHTS FOLDER    (FOLDER: models/judge)
The order is that of `judgeLayout` in src/encoder/layout.ts, the packing that of src/encoder/quantize.ts.
"""
import json
import os
import struct
import sys
import zlib

import numpy as np
from model import DIM, FFN, HERE, KINDS, LONGEST, OUTPUTS, Tokenizer, loaded, said

MAGIC, VERSION, HEADER = b"PALJUDGE", 1, 64
# Pairs of every length and task; what the float model says of them is kept beside the test.
GOLDEN = [
    ("where does Marco live?", "Marco moved to Lisbon in March."),
    ("where does Priya live?", "Marco moved to Lisbon in March."),
    ("when is Tomasz back?", "Tomasz is on parental leave until the end of January"),
    ("wifi pw cottage?", "Cottage notes: the wifi is called Birkenhof, password is on the fridge."),
    ("Max is no longer allergic to pollen.", "Max is allergic to nuts."),
    ("Marco's office is on floor 5", "Marco has his office on floor 3."),
    ("We deploy on Tuesdays.", "Deployments happen every Tuesday."),
    ("tick 4471", ""),
    ("The tick marker is drawn in red on the charts by decision of Ana.", ""),
    ("what did we decide about the retries", ""),
    ("Write a haiku about rain.", ""),
    ("I can't do dairy.", "user: Thanks, that looks good. | assistant: Shall I plan the dinner for Saturday?"),
    ("Wo wohnt Jürgen jetzt?", "Jürgen ist im März nach Zürich gezogen, in die Nähe der Limmat."),
    ("我住在杭州", ""),
    ("", ""),
    ("why?", "The meeting of the working group was moved from Monday to Thursday because the room was taken, and " * 6),
    ("Please " + "remember this and that and " * 40, "short"),
]


def packed(rows):
    """int8 with one scale a row, [n/8][k/2][8][2]."""
    rows = rows.astype(np.float32)
    scale = (np.abs(rows).max(1) / np.float32(127)).astype(np.float32)
    scale[scale == 0] = 1
    q = np.clip(np.floor(rows / scale[:, None] + 0.5), -127, 127).astype(np.int8)
    n, k = q.shape
    return q.reshape(n // 8, 8, k // 2, 2).transpose(0, 2, 1, 3).tobytes(), scale.tobytes()


def payload(judge):
    out = bytearray()

    def put(data):
        out.extend(data if isinstance(data, bytes) else np.ascontiguousarray(data, np.float32).tobytes())
        out.extend(bytes(-len(out) % 16))

    def linear(*modules):
        w, scale = packed(np.concatenate([m.weight.detach().numpy() for m in modules]))
        put(w), put(scale), put(np.concatenate([m.bias.detach().numpy() for m in modules]))

    def norm(module):
        put(module.weight.detach().numpy()), put(module.bias.detach().numpy())

    put(judge.positions.weight.detach().numpy()[:LONGEST])
    put(judge.types.weight.detach().numpy())
    norm(judge.norm)
    for layer in judge.layers:
        linear(layer.query, layer.key, layer.value), linear(layer.out), norm(layer.norm1)
        linear(layer.up), linear(layer.down), norm(layer.norm2)
    linear(judge.head[0])
    put(judge.head[3].weight.detach().numpy()), put(judge.head[3].bias.detach().numpy())
    return bytes(out)


if __name__ == "__main__":
    weights, folder = sys.argv[1:3]
    judge, tokenizer = loaded(weights), Tokenizer()
    os.makedirs(folder, exist_ok=True)
    body = payload(judge)
    header = MAGIC + struct.pack("<III", VERSION, len(body), zlib.crc32(body))
    with open(os.path.join(folder, "judge.int8.bin"), "wb") as file:
        file.write(header + bytes(HEADER - len(header)) + body)
    # Other weights are another judge: what was kept of it is not mixed with what this one says.
    figures = os.path.join(folder, "judge.json")
    if os.path.exists(figures):
        told = json.load(open(figures))
        told["id"] = f"judge-l6-int8/{zlib.crc32(body):08x}"
        json.dump(told, open(figures, "w"), indent=2)
    numbers = said(judge, tokenizer, GOLDEN).tolist()
    rows = [{"first": a, "second": b, "tokens": len(tokenizer.pair(a, b)[0]), "said": [round(x, 4) for x in row]} for (a, b), row in zip(GOLDEN, numbers)]
    with open(os.path.join(HERE, "../src/judge/_golden.jsonl"), "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    print(len(body), "bytes,", OUTPUTS, "outputs, kinds", *KINDS)
