"""Trains the judge. usage: train.py OUT [--start FILE] [--minutes M] [--epochs N] [--rate R] [--hold PREFIX,...]

Run it with OMP_WAIT_POLICY=passive MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=8589934592 on a machine with other work: threads
that spin and memory that is given back at each step take three times the time.
Sources whose name begins with a held-out prefix ("lives/a-", "turns/0") are only measured. The state is saved every 200 steps.
"""
import argparse
import random
import time

import torch
import torch.nn.functional as F
from data import everything, varied
from measure import measure
from model import ANSWERS, ASKS, BESIDE, KEEP, KIND, SAME, Tokenizer, loaded, padded

options = argparse.ArgumentParser()
options.add_argument("out")
options.add_argument("--start")
options.add_argument("--minutes", type=float, default=40)
options.add_argument("--epochs", type=float, default=2)
options.add_argument("--rate", type=float, default=6e-5)
options.add_argument("--hold", default="")
options.add_argument("--share", default="prompts=0.3")  # of some sources a part is read in an epoch: what is plenty, easy or known
options = options.parse_args()

SEED, TOKENS = 7, 1500  # of a batch
draw = random.Random(SEED)
torch.manual_seed(SEED)
torch.set_num_threads(2)
torch.set_flush_denormal(True)
tokenizer, embedder = Tokenizer(), loaded()
held = tuple(part for part in options.hold.split(",") if part)
pairs = everything(embedder, tokenizer, SEED)
train = [pair for pair in pairs if not (held and pair.source.startswith(held))]
test = [pair for pair in pairs if held and pair.source.startswith(held)]
del embedder
encoded = [tokenizer.pair(varied(pair.first, draw) if pair.task == "answers" else pair.first, pair.second) for pair in train]
count = {}
for pair in train:
    count[pair.task] = count.get(pair.task, 0) + 1
print(count, "held out", len(test), flush=True)
judge = loaded(options.start)


shares = [(name, float(part)) for name, part in (one.split("=") for one in options.share.split(",") if one)]


def share_of(source):
    return next((part for name, part in shares if source.startswith(name)), 1.0)


def batches():
    """Pairs of alike length together, in a new order each time."""
    order = [n for n in range(len(train)) if draw.random() < share_of(train[n].source)]
    draw.shuffle(order)
    found = []
    for at in range(0, len(order), 2000):
        part = sorted(order[at : at + 2000], key=lambda n: len(encoded[n][0]))
        batch = []
        for n in part:
            if batch and (len(batch) + 1) * len(encoded[n][0]) > TOKENS:
                found.append(batch)
                batch = []
            batch.append(n)
        found.append(batch)
    draw.shuffle(found)
    return found


def loss_of(out, items):
    total, weight = 0.0, sum(item.weight for item in items)
    for task, at in (("answers", ANSWERS), ("keep", KEEP), ("asks", ASKS)):
        rows = [n for n, item in enumerate(items) if item.task == task]
        if rows:
            labels = torch.tensor([items[n].label for n in rows]).float() * 0.96 + 0.02
            weights = torch.tensor([items[n].weight for n in rows])
            total = total + F.binary_cross_entropy_with_logits(out[rows, at], labels, weights, reduction="sum")
    for task, begin, end in (("relation", SAME, BESIDE + 1), ("kind", KIND, out.shape[1])):
        rows = [n for n, item in enumerate(items) if item.task == task]
        if rows:
            labels = torch.tensor([items[n].label for n in rows])
            weights = torch.tensor([items[n].weight for n in rows])
            one = F.cross_entropy(out[rows][:, begin:end], labels, label_smoothing=0.04, reduction="none")
            total = total + (one * weights).sum()
    return total / weight


optimizer = torch.optim.AdamW([p for p in judge.parameters() if p.requires_grad], options.rate, weight_decay=0.01)
steps = int(len(batches()) * options.epochs)
begun, queue, sum_, n, step, progress = time.time(), [], 0.0, 0, 0, 0.0
print(f"{steps} steps at most", flush=True)
judge.train()
while progress < 1:
    queue = queue or batches()
    items = queue.pop()
    # The rate falls by whichever ends first, the steps or the time.
    progress = max(step / steps, (time.time() - begun) / 60 / options.minutes)
    for group in optimizer.param_groups:
        group["lr"] = options.rate * min(1, (step + 1) / 100) * max(0.02, 1 - progress)
    with torch.autocast("cpu", dtype=torch.bfloat16):  # half the time; the weights stay in 32 bits
        out = judge(*padded([encoded[n] for n in items]))
    loss = loss_of(out.float(), [train[n] for n in items])
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(judge.parameters(), 1.0)
    optimizer.step()
    sum_, n, step = sum_ + loss.item(), n + 1, step + 1
    if step % 50 == 0:
        print(f"{step} of {steps}, loss {sum_ / n:.3f}, {time.time() - begun:.0f} s", flush=True)
        sum_, n = 0.0, 0
    if step % 200 == 0:
        judge.keep_at(options.out + ".part")
judge.keep_at(options.out)
measure(judge, tokenizer, test)
